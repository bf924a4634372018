"""`python -m medgauge_registrar` is the command `registrar`."""

from medgauge_registrar.cli import run

run()
