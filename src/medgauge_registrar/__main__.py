"""`python -m medgauge_registrar` is the command `registrar`."""

import sys

from medgauge_registrar.cli import main

sys.exit(main())
