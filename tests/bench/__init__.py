"""Measurements of speed and size: ``python -m tests.bench`` prints them, and none of them can fail."""
