"""Content that must not come in, by whatever way, and texts that only look like it. All of it is invented."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

from medgauge_registrar.model.decision import State
from medgauge_registrar.sandbox.case import Case
from medgauge_registrar.sandbox.cast import LEDGER
from medgauge_registrar.sandbox.edits import append, copy, drop, put, swap
from medgauge_registrar.sandbox.material import (
    CARD,
    EXCEPTED,
    EXPIRED,
    GUIDELINE,
    MAINTAINER,
    ROADMAP,
    TODAY,
    TWO,
)

_ARTICLE = f"articles/{TODAY}-example.md"
_SUBMISSION = (
    "family: bm-example-handover\nlabels: {T1: short, T8: invented}\nseeded_defects: [{cluster: quincunx, count: 2}]\n"
    "materials_hash: 0000\nrequired_actions: [read the sheet]\n"
)
# Words of the material above that would show it was quoted.
_SEEDED = "quincunx"
_NUMBER = "4471902"
_CANARY, _KEY = "zq-canary-4f1b9c20", "example-key-of-the-demonstration"
# Put together here, so that no scanner of this repository takes it for a real one.
_TOKEN = "ghp_" + "Zq7Kd2" * 6


def _article(text: str) -> str:
    return f"---\ndate: {TODAY}\ntitle: An example\n---\n\n# An example\n\n{text}\n"


def _with_canary() -> Mapping[str, Any]:
    digest = hmac.new(_KEY.encode(), _CANARY.encode(), hashlib.sha256).hexdigest()
    return {**LEDGER, "canaries": {"key": _KEY, "digests": [digest]}}


CONTENT: tuple[Case, ...] = (
    Case(
        title="A task submission that a later commit took away again",
        rows=("M19",),
        commits=((put("docs/task.yaml", _SUBMISSION), append("README.md", "\nA line.\n")), (drop("docs/task.yaml"),)),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("BND-11",),
        closed=(_SEEDED, "docs/task"),
    ),
    Case(
        title="A record number in the title of the pull request",
        pull_title=f"Correct the note of MRN: {_NUMBER}",
        rows=("M19",),
        commits=((append("README.md", "\nA line.\n"),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("BND-11",),
        closed=(_NUMBER,),
    ),
    Case(
        title="A canary in the description of the pull request",
        rows=("M19",),
        commits=((append("README.md", "\nA line.\n"),),),
        reviews=TWO,
        body=f"Found in a public corpus: {_CANARY}",
        ledger=_with_canary(),
        expected=State.BLOCKED,
        errors=("BND-11",),
        closed=(_CANARY, _KEY),
    ),
    Case(
        title="A filled task submission in a code block of an article",
        rows=("M16",),
        commits=((put(_ARTICLE, _article(f"What a submission holds:\n\n```yaml\n{_SUBMISSION}```")),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("BND-09",),
        closed=(_SEEDED,),
    ),
    Case(
        title="A clinical table in an article",
        rows=("M16",),
        commits=(
            (
                put(
                    _ARTICLE,
                    _article("| patient_id | charttime | diagnosis |\n|---|---|---|\n| 7 | 06:40 | quincunx |"),
                ),
            ),
        ),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("BND-01",),
        closed=(_SEEDED, "charttime"),
    ),
    Case(
        title="An article that calls a model certified",
        rows=("M16",),
        commits=((put(_ARTICLE, _article("Example Model 1 is certified by MedGauge.")),),),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("CLM-01",),
    ),
    Case(
        title="A level in a roadmap item",
        rows=("M1",),
        commits=(
            (
                swap(ROADMAP, "version: 0.2.0", "version: 0.3.0"),
                swap(ROADMAP, "last_reviewed: 2026-10-29", f"last_reviewed: {TODAY}"),
                swap(ROADMAP, "  round of the family.", "  round of the family. Example Model 1 reached L3 on it."),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("RED-01",),
    ),
    Case(
        title="Delete a file that others link to",
        rows=("M19",),
        commits=((drop("CONTRIBUTING.md"),),),
        reviews=TWO,
        expected=State.BLOCKED,
        errors=("BLD-03",),
    ),
    Case(
        title="A remote image in an article",
        rows=("M16",),
        commits=((put(_ARTICLE, _article("![A plain dot](https://example.org/dot.png)")),),),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("BLD-06",),
    ),
    Case(
        title="A Cyrillic letter in an identifier",
        rows=("M1",),
        commits=(
            (
                copy(
                    GUIDELINE,
                    "registry/standards/std-example-copy.yaml",
                    ("id: std-example-guideline", "id: std-ex\N{CYRILLIC SMALL LETTER A}mple-copy"),
                ),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("BLD-01", "ENT-02"),
    ),
    Case(
        title="A token in a benchmark card",
        rows=("M1",),
        commits=(
            (
                swap(CARD, "version: 0.3.0\nintroduced_in", "version: 0.4.0\nintroduced_in"),
                swap(CARD, "last_reviewed: 2026-11-25", f"last_reviewed: {TODAY}"),
                swap(CARD, "take no applications yet.", f"take no applications yet; use token {_TOKEN} to read them."),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("NEV-05",),
        closed=(_TOKEN,),
    ),
    Case(
        title="A line whose exception has expired",
        rows=("M16",),
        commits=((put(_ARTICLE, _article(EXPIRED)),),),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("CLM-01",),
    ),
    Case(
        title="A line that an exception lets stand",
        rows=("M16",),
        commits=((put(_ARTICLE, _article(EXCEPTED)),),),
        reviews=(MAINTAINER,),
        expected=State.APPROVED,
    ),
    Case(
        title="An article that denies what others must not claim, with an invented table",
        rows=("M16",),
        commits=(
            (
                put(
                    _ARTICLE,
                    _article(
                        "No model is certified by MedGauge, and no model has reached L3. Write to security@example.org.\n\n"
                        "A synthetic illustration:\n\n| patient_id | charttime | diagnosis |\n|---|---|---|\n| 7 | 06:40 | cold |"
                    ),
                ),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.APPROVED,
    ),
)
