"""Settings of another registry, put into that of the demonstration, to see what they would change."""

from typing import Any

from medgauge_registrar.drafts.yaml_edit import edited_yaml
from medgauge_registrar.policy.load import load_policy

# The people, lines and paths of the demonstration are its own; settings that name others would say nothing about them. The name of
# the status decides nothing, and a pull request of the demonstration changes its line.
KEPT = frozenset(
    {"roster", "ledger", "site_identities", "gate_account", "content_exceptions", "layout", "status_context"}
)


def settings_on_trial(own: bytes, tried: bytes) -> bytes:
    """
    Put settings in place of those of the demonstration.

    What is the same keeps its line, so that a pull request which edits the settings still merges.

    Args:
        own: `.github/registrar.yml` of the demonstration.
        tried: That of another registry, or a draft of it.

    Raises:
        PolicyError: What is tried could not be used in a registry either.
    """
    load_policy(tried)
    wanted: dict[str, Any] = {}
    edited_yaml(tried.decode(), wanted.update)

    def change(settings: Any) -> None:
        for key in [key for key in settings if key not in KEPT and key not in wanted]:
            del settings[key]
        for key, value in wanted.items():
            if key in KEPT:
                continue
            if key in settings:
                settings[key] = value
            else:
                # Not at the end, where pull requests of the demonstration add something.
                settings.insert(0, key, value)

    return edited_yaml(own.decode(), change).encode()
