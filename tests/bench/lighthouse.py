"""Lighthouse on the front page and a table, as a phone sees them: ``make lighthouse``.

Lighthouse comes from npm and is needed for nothing else, so it is installed into ``.venv`` when this is first run.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.services import ROOT, chromium_path, serve

VERSION = "13.5.0"
HOME = ROOT / ".venv" / "lighthouse"
PAGES = ("/", "/play/SS1-S4-AAAAABD", "/play/SC1-C-AAAAABD")
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
FIGURES = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")
FLAGS = "--headless --no-sandbox --disable-gpu --disable-background-networking"


def install() -> Path:
    """Return the program, installed when it is not there yet."""
    program = HOME / "node_modules" / ".bin" / "lighthouse"
    if not program.exists():
        subprocess.run(["npm", "install", "--silent", "--prefix", HOME, f"lighthouse@{VERSION}"], check=True)
    return program


def report(program: Path, address: str, folder: Path) -> dict[str, Any]:
    """Return Lighthouse's report on a page."""
    path = folder / "report.json"
    command: list[str | Path] = [
        program,
        address,
        "--quiet",
        "--output=json",
        f"--output-path={path}",
        f"--chrome-flags={FLAGS}",
    ]
    subprocess.run(command, check=True, env={**os.environ, "CHROME_PATH": chromium_path()})
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def main() -> int:
    """Print the scores and figures of each page, and what took points from it."""
    program = install()
    with tempfile.TemporaryDirectory() as name, serve(f"sqlite:///{name}/games.db") as served:
        for page in PAGES:
            found = report(program, f"{served.url}{page}", Path(name))
            scores = ", ".join(f"{one} {found['categories'][one]['score'] * 100:.0f}" for one in CATEGORIES)
            figures = ", ".join(f"{one} {found['audits'][one]['displayValue']}" for one in FIGURES)
            print(f"{page}: {scores}\n    {figures}")
            for audit in found["audits"].values():
                if audit["score"] is not None and audit["score"] < 0.9:
                    print(f"    {audit['id']}: {audit['score']:.2f} {audit.get('displayValue', '')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
