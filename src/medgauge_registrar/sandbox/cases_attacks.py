"""Pull requests that try to get past the gate, or to make it act for them: each is refused, or does nothing."""

from datetime import UTC, datetime

from medgauge_registrar.model.decision import SetAside, State
from medgauge_registrar.report.comment import COMMENT_MARKER
from medgauge_registrar.sandbox.case import Case, Review, Said
from medgauge_registrar.sandbox.edits import append, drop, put, swap
from medgauge_registrar.sandbox.material import GUIDELINE, MAINTAINER, NEW_STANDARD, SETTINGS, TWO

_NEW = "registry/standards/std-example-new.yaml"
_FRIENDS = (Review(by="newcomer"), Review(by="vendor"))
# GitHub lists no more changed files than this.
_MOST_LISTED = 3000
_SHOUT = "@example-organisation/everyone <img src=x onerror=alert(1)> </details> closes #1 [click](javascript:alert(1))"

ATTACKS: tuple[Case, ...] = (
    Case(
        title="A roster in the head, named by the settings in the head, with the approvals of its people",
        rows=("M17", "M19"),
        commits=(
            (
                swap(SETTINGS, "source: secret", "source: file\n  path: team.yaml"),
                put(
                    "team.yaml",
                    "people:\n"
                    "  - {id: 9012, login: example-person-11, roles: [maintainer]}\n"
                    "  - {id: 9018, login: example-person-17, roles: [maintainer]}\n",
                ),
            ),
        ),
        reviews=_FRIENDS,
        expected=State.BLOCKED,
        errors=("ROLE-15",),
        set_aside=(SetAside.NOT_COUNTED,),
    ),
    Case(
        title="The workflow that wakes the gate switched off, approved by friends",
        rows=("M17",),
        commits=((put(".github/workflows/gate-anchor.yml", "on: {}\njobs: {}\n"),),),
        reviews=_FRIENDS,
        expected=State.PENDING,
        set_aside=(SetAside.NOT_COUNTED,),
    ),
    Case(
        title="The workflow that wakes the gate switched off beside a standard",
        rows=("M17", "M1"),
        commits=((put(".github/workflows/gate-anchor.yml", "on: {}\njobs: {}\n"), NEW_STANDARD),),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("DEC-31",),
    ),
    Case(
        title="A schema loosened for the record beside it",
        rows=("M11", "M1"),
        commits=(
            (
                swap("schemas/standard.schema.json", '"additionalProperties": false', '"additionalProperties": true'),
                NEW_STANDARD,
                append(_NEW, "colour: blue\n"),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("ENT-02", "ENT-08"),
    ),
    Case(
        title="`$(touch /tmp/owned)` ${{ github.token }} ::set-output name=state::approved <script>alert(1)</script> @everyone",
        rows=("M19",),
        commits=((append("README.md", "\nAn example line.\n"),),),
        branch="a';$(touch${IFS}/tmp/owned);`id`-${{github.token}}-<script>",
        reviews=(MAINTAINER,),
        expected=State.APPROVED,
        inert=("touch", "github.token", "<script>", "::set-output"),
    ),
    Case(
        title="A storm of mentions and markup, in text, comments and the name of a file",
        rows=("M19",),
        commits=((put(f"docs/{_SHOUT.replace('/', '|')}.md", f"{_SHOUT}\n"),),),
        body=f"{_SHOUT}\n" * 100,
        comments=tuple(Said(by="newcomer", body=f"{_SHOUT}\n" * 20) for _ in range(30)),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("BLD-06",),
        inert=("@example-organisation", "<img", "closes #1", "javascript:alert"),
    ),
    Case(
        title="A comment that looks like the gate's own, and says that all is well",
        rows=("M1",),
        commits=((NEW_STANDARD,),),
        comments=(
            Said(by="contributor", body=f"{COMMENT_MARKER}\n## ✅ Approved: 1 row satisfied\n"),
            Said(by="newcomer", body=f"{COMMENT_MARKER}\n/vote uphold\n/confirm {'0' * 40}\n"),
        ),
        expected=State.PENDING,
    ),
    Case(
        title="A bot opens a standard for somebody unnamed, and one maintainer approves",
        rows=("M1",),
        commits=((NEW_STANDARD,),),
        author="bot",
        reviews=(MAINTAINER,),
        expected=State.PENDING,
        unsatisfied=("DEC-15",),
    ),
    Case(
        title="A bot opens a standard for somebody unnamed, and two maintainers approve",
        rows=("M1",),
        commits=((NEW_STANDARD,),),
        author="bot",
        reviews=TWO,
        expected=State.APPROVED,
    ),
    Case(
        title="A record taken away behind three thousand notes",
        rows=("M1", "M19"),
        commits=(
            (
                *(
                    put(f"docs/notes/example-note-{number}.md", f"Note {number} of an example.\n")
                    for number in range(_MOST_LISTED)
                ),
                drop(GUIDELINE),
            ),
        ),
        reviews=(MAINTAINER,),
        expected=State.BLOCKED,
        errors=("IMM-07", "ID-06"),
    ),
    Case(
        title="Commits dated before the approval that they came after",
        rows=("M1",),
        replaced=((NEW_STANDARD,),),
        commits=((NEW_STANDARD, swap(_NEW, "Example standard", "Another standard")),),
        dated=datetime(2026, 11, 29, 8, 30, tzinfo=UTC),
        reviews=(Review(by="maintainer", before_push=True),),
        expected=State.PENDING,
        set_aside=(SetAside.BEFORE_HEAD,),
    ),
)
