"""What a player can set (spec "Settings"): every setting with its values, the first of them the default."""

import json
from collections.abc import Mapping

SETTINGS: Mapping[str, tuple[str, ...]] = {
    "double-tap": ("on", "off"),
    "automatic": ("off", "on"),
    "help": ("on", "off"),
    "rules": ("on", "off"),
    "theme": ("device", "light", "dark"),
    "suits": ("two", "four"),
    "hand": ("right", "left"),
    "motion": ("device", "on", "off"),
}

DEFAULTS: Mapping[str, str] = {name: values[0] for name, values in SETTINGS.items()}


def read(kept: str) -> Mapping[str, str]:
    """Return every setting of a player from what is kept; what is not kept, or is no value any more, is the default."""
    if kept == "{}":
        return DEFAULTS
    chosen = json.loads(kept)
    return {name: chosen[name] if chosen.get(name) in values else values[0] for name, values in SETTINGS.items()}


def write(chosen: Mapping[str, str]) -> str:
    """Return what is kept of a player's settings: those that differ from the default."""
    return json.dumps({name: value for name, value in sorted(chosen.items()) if value != DEFAULTS[name]})
