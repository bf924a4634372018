"""Steps between two versions of the methodology, and how far a change of some class has to go (CHG-05, CHG-06)."""

from enum import StrEnum

from medgauge_registrar.classify.text_change import ChangeClass
from medgauge_registrar.registry.records import version_key

# Below this version a change that breaks comparison takes a minor version; from it on a major one (inference).
_STABLE = (1, 0, 0)


class Step(StrEnum):
    """What an author declares by the version they write, the shortest step first."""

    LOWERED = "lowered"
    NONE = "none"
    PATCH = "patch"
    MINOR = "minor"
    MAJOR = "major"

    @property
    def length(self) -> int:
        """Place in the order of the steps."""
        return list(Step).index(self)


def declared_step(before: str, after: str) -> Step:
    """The step from one version to another."""
    old, new = version_key(before), version_key(after)
    if new <= old:
        return Step.NONE if new == old else Step.LOWERED
    return (Step.MAJOR, Step.MINOR, Step.PATCH)[next(place for place in range(3) if new[place] != old[place])]


def needed_step(computed: ChangeClass, before: str) -> Step:
    """
    The shortest step that a change of a class may declare.

    Args:
        computed: Class of the change.
        before: Version before it.

    Source:
        Methodology, abstract and section 30.
    """
    match computed:
        case ChangeClass.NONE:
            return Step.NONE
        case ChangeClass.PATCH:
            return Step.PATCH
        case ChangeClass.MINOR:
            return Step.MINOR
        case ChangeClass.NON_COMPARABLE:
            return Step.MINOR if version_key(before) < _STABLE else Step.MAJOR


def next_version(before: str, step: Step) -> str:
    """The version one such step above another; the version itself for no step."""
    major, minor, patch = version_key(before)
    match step:
        case Step.MAJOR:
            return f"{major + 1}.0.0"
        case Step.MINOR:
            return f"{major}.{minor + 1}.0"
        case Step.PATCH:
            return f"{major}.{minor}.{patch + 1}"
        case _:
            return before
