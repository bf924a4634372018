"""Data files of the package: decision table, rule catalogue, starter registry."""

from pathlib import Path

# A plain folder: `importlib.resources` would cost each run more than the files take to read.
FOLDER = Path(__file__).parent
