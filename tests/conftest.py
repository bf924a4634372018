"""
Profiles of the property tests.

`ci`, the default, tries the same few cases on every run, and `REGISTRAR_FUZZ=long` the same many, as each property says, so that
both may decide over a change. `REGISTRAR_FUZZ=hunt` tries as many new ones. None sets a deadline: a busy machine is no failure.
"""

import os

from hypothesis import HealthCheck, Phase, settings

settings.register_profile("ci", derandomize=True, database=None, max_examples=200, deadline=None)
_MANY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
settings.register_profile("long", _MANY, derandomize=True, database=None)
settings.register_profile("hunt", _MANY)
settings.register_profile(
    "mutate", settings.get_profile("ci"), max_examples=50, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile(os.environ.get("REGISTRAR_FUZZ", "ci"))
