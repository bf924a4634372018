"""
Profiles of the property tests.

`ci`, the default, tries the same few cases on every run. `REGISTRAR_FUZZ=long` tries new ones, as many as each property says.
Neither sets a deadline: a busy machine is no failure.
"""

import os

from hypothesis import HealthCheck, Phase, settings

settings.register_profile("ci", derandomize=True, database=None, max_examples=200, deadline=None)
settings.register_profile(
    "long", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.register_profile(
    "mutate", settings.get_profile("ci"), max_examples=50, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile(os.environ.get("REGISTRAR_FUZZ", "ci"))
