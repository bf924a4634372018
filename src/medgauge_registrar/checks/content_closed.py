"""The words for a hit on closed material: constant, without place or value, and with the way to a private channel."""

from collections.abc import Iterator

from medgauge_registrar.checks.framework import Context, Problem

_POLICY = "this repository's security policy (SECURITY.md)"


def exposure(context: Context, what: str, *, found: bool) -> Iterator[Problem]:
    """
    The one problem for something that stays closed, if it was found (BND-14).

    Args:
        context: Names the private channel.
        what: What sort of material the rule is about, in words that are the same for every hit.
        found: Whether there was a hit.
    """
    if found:
        channel = context.settings.private_channel or _POLICY
        yield Problem(
            message=f"possible exposure: something here has the shape of {what}",
            help=(
                "Do not write about it here. Take it out of every commit of the branch and report it in private through "
                f"{channel}. Whatever was pushed has been public since, so a task that it shows may have to be retired."
            ),
        )
