"""What `registrar doctor` saw, as text or JSON."""

from collections import Counter
from collections.abc import Sequence

from medgauge_registrar.model.checkup import Item, Standing
from medgauge_registrar.report.escape import json_text, terminal

_ORDER = (Standing.WRONG, Standing.BY_HAND, Standing.GOOD)


def render_doctor(items: Sequence[Item]) -> str:
    """What is wrong, what a person has to check, and what is good, in this order, each with what to do."""
    lines = []
    for standing in _ORDER:
        for item in items:
            if item.standing is standing:
                lines.append(f"{standing.value}: {item.about}: {item.said}")
                lines += [f"  help: {item.cure}"] if item.cure else []
    counted = Counter(item.standing for item in items)
    words = {Standing.WRONG: "wrong", Standing.BY_HAND: "to check by hand", Standing.GOOD: "good"}
    lines.append(", ".join(f"{counted[standing]} {words[standing]}" for standing in _ORDER))
    return "".join(f"{terminal(line)}\n" for line in lines)


def doctor_document(items: Sequence[Item]) -> str:
    """The same as JSON, in the order in which things were looked at."""
    return json_text(
        {
            "items": [
                {"about": item.about, "standing": item.standing.value, "said": item.said, "help": item.cure or None}
                for item in items
            ]
        }
    )
