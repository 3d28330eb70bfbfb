"""``python -m tests.bench [part …]``: measure, and print one table; figures never fail."""

import os
import platform
import signal
import sys
import tempfile
import time
from datetime import date
from importlib import import_module
from pathlib import Path
from statistics import median

from tests.bench.table import Figure, print_table

PARTS = ("engine", "http", "growth", "sizes", "paint")


def machine() -> str:
    """Return what the figures were measured on, and when."""
    cores = os.cpu_count()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.machine()
    load = f"load before {os.getloadavg()[0]:.1f}, " if hasattr(os, "getloadavg") else ""
    return (
        f"{date.today().isoformat()}: {model}, {cores} cores, {load}fsync {fsync() * 1e3:.1f} ms, "
        f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    )


def fsync() -> float:
    """Return how long a few bytes take to the disk that holds the databases; far below 0.1 ms it is no disk."""
    times = []
    with tempfile.TemporaryFile() as file:
        for _ in range(50):
            file.write(b"some bytes")
            file.flush()
            begun = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - begun)
    return median(times)


def main(parts: list[str]) -> int:
    """Measure these parts, or all; return 0 when they ran."""
    if unknown := [part for part in parts if part not in PARTS]:
        print(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    print(machine(), flush=True)
    figures: list[Figure] = []
    for part in parts or PARTS:
        # Each part is imported only when it is asked for: what one of them starts is no burden to another.
        for figure in import_module(f"tests.bench.{part}").figures():
            print(f"{figure.name}: {figure.value}", file=sys.stderr, flush=True)
            figures.append(figure)
    print()
    print_table(figures)
    return 0


if __name__ == "__main__":
    # Who ends the measuring ends its servers too: only an exception leaves the contexts that hold them in order.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main(sys.argv[1:]))
