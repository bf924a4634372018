"""The demonstration over HTTP: the gate reads what was staged, decides as offline, and no attack moves it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from medgauge_registrar.github.job import read_job
from medgauge_registrar.github.read import pull_file, read_arrival, read_pull
from medgauge_registrar.inputs import read_inputs
from medgauge_registrar.live.gate import Gate, Settled
from medgauge_registrar.model.decision import State
from medgauge_registrar.pipeline import Question, decide_question
from medgauge_registrar.report.comment import COMMENT_MARKER
from medgauge_registrar.sandbox import demo
from medgauge_registrar.sandbox.build import NOW, build, head_ref
from medgauge_registrar.sandbox.case import Case
from medgauge_registrar.sandbox.cases import CASES
from medgauge_registrar.sandbox.cases_attacks import ATTACKS
from medgauge_registrar.sandbox.github.world import ACTIONS_BOT, GitHubSandbox
from medgauge_registrar.sandbox.staging import stage, world_in
from support.embedded import Ask

# Looking at thousands of files takes seconds; the demonstration itself does it.
QUICK = [case for case in CASES if sum(map(len, case.commits)) < 100]
HELD = [
    "Add a standard",
    "A co-author approves",
    "Add a capability",
    "A draft",
    "An approver votes, and a comment is edited",
]


@dataclass(frozen=True)
class Staged:
    """The whole demonstration on an embedded GitHub."""

    folder: Path
    world: GitHubSandbox

    def gate(self, case: Case) -> Gate:
        environment = {
            "GITHUB_REPOSITORY": self.world.registry.full_name,
            "GITHUB_SERVER_URL": self.world.server_url,
            "GITHUB_API_URL": self.world.api_url,
            "GITHUB_GRAPHQL_URL": self.world.graphql_url,
            "REGISTRAR_TOKEN": self.world.token,
            "REGISTRAR_ROSTER": (self.folder / "roster.json").read_text(encoding="utf-8"),
            "REGISTRAR_LEDGER": "" if case.ledger is None else json.dumps(case.ledger),
        }
        return Gate(read_job(environment), now=lambda: NOW)

    def settle(self, case: Case) -> Settled:
        with self.gate(case) as gate:
            return gate.settle(number_of(case))


def number_of(case: Case) -> int:
    return CASES.index(case) + 1


def titled(title: str) -> Case:
    (case,) = [case for case in CASES if case.title == title]
    return case


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staged]:
    folder = tmp_path_factory.mktemp("staged")
    build(folder)
    with world_in(folder) as world:
        stage(world, enumerate(CASES, start=1))
        world.now = NOW
        yield Staged(folder, world)


def facts_over_http(staged: Staged, case: Case) -> dict[str, Any]:
    with staged.gate(case) as gate:
        reading = read_pull(gate.client, gate.job.repository, number_of(case))
        facts = pull_file(reading, read_arrival(gate.client, gate.job.repository, reading))
    # A pull file that people write does not tell the heads and moves before; what is known of them is GitHub's.
    facts["head"].pop("earlier")
    facts["head"].pop("moves")
    return facts


def facts_of_file(staged: Staged, case: Case) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (staged.folder / "pulls" / f"{number_of(case)}.json").read_text(encoding="utf-8")
    )
    return found


@pytest.mark.parametrize("title", HELD)
def test_the_facts_that_are_read_are_those_of_the_pull_file(staged: Staged, title: str) -> None:
    """Two ways to the same facts: through both interfaces of GitHub, and straight from the case."""
    case = titled(title)
    assert facts_over_http(staged, case) == facts_of_file(staged, case)


@pytest.mark.long
def test_the_facts_of_every_case_are_read_as_they_are(staged: Staged) -> None:
    differing = [case.title for case in CASES if facts_over_http(staged, case) != facts_of_file(staged, case)]
    assert differing == []


@pytest.mark.parametrize("title", HELD)
def test_offline_and_over_http_the_decision_is_the_same(staged: Staged, title: str) -> None:
    case, number = titled(title), number_of(titled(title))
    ledger = staged.folder / "ledgers" / f"{number}.json"
    inputs = read_inputs(
        staged.folder / "pulls" / f"{number}.json",
        staged.folder / "roster.json",
        ledger if ledger.exists() else None,
        digest_key=None,
    )
    world = staged.world
    question = Question(
        repository=staged.folder / "registry.git",
        base=world.sha("refs/heads/main"),
        head=world.sha(head_ref(number)),
        inputs=inputs,
        now=NOW,
    )
    offline, live = decide_question(question), staged.settle(case).decision
    assert live is not None
    # What GitHub tells of earlier heads is among the inputs, so their digest differs; nothing else does.
    assert replace(live, digests=offline.digests) == offline


@pytest.mark.parametrize("case", [case for case in ATTACKS if case in QUICK], ids=lambda case: case.title)
def test_an_attack_is_blocked_or_inert(staged: Staged, case: Case) -> None:
    settled = staged.settle(case)
    assert settled.decision is not None, settled.message
    assert demo.unmet_by(case, settled.decision) == ""
    assert demo.unpublished(staged.world, number_of(case), case, settled.decision) == ""


def test_a_forged_comment_is_left_alone_and_the_own_one_stands_beside_it(staged: Staged) -> None:
    case = titled("A comment that looks like the gate's own, and says that all is well")
    for _ in range(2):
        staged.settle(case)
    comments = staged.world.comments(number_of(case))
    own = [comment for comment in comments if comment.user == ACTIONS_BOT]
    forged = [comment for comment in comments if comment.user != ACTIONS_BOT]
    assert len(own) == 1
    assert own[0].body.startswith(COMMENT_MARKER)
    assert [comment.body for comment in forged] == [said.body for said in case.comments]
    assert all(comment.edited_at is None for comment in forged)


def test_a_review_that_github_moved_names_the_head_and_counts_for_nothing(staged: Staged) -> None:
    case = titled("An approval from before the last push, which GitHub has moved to the new head")
    pull = staged.world.registry.pulls[number_of(case)]
    assert [review.commit for review in pull.reviews] == [pull.head_sha]
    decision = staged.settle(case).decision
    assert decision is not None
    assert (decision.state, [aside.reason for aside in decision.set_aside]) == (State.PENDING, list(case.set_aside))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda world, number, case: world.statuses(world.registry.pulls[number].head_sha)[0], "status"),
        (lambda world, number, case: world.comment(number, "Another.", by=ACTIONS_BOT), "2 comments"),
    ],
)
def test_what_github_does_not_show_is_noticed(
    staged: Staged, change: Callable[[GitHubSandbox, int, Case], Any], said: str
) -> None:
    case = titled("Change the readme")
    number, settled = number_of(case), staged.settle(case)
    assert settled.decision is not None
    found = change(staged.world, number, case)
    if said == "status":
        found.state = "failure"
    assert demo.unpublished(staged.world, number, case, settled.decision).startswith(said)


def test_words_that_are_code_are_inert_and_others_are_not() -> None:
    spoken = demo.spoken("Says `@nobody` and <b>@somebody</b>\n\n```\n@nobody\n```\n\n[x](https://example.org)\n")
    assert "@nobody" not in spoken
    assert "@somebody" in spoken
    assert "<b>" in spoken
    assert "https://example.org" in spoken


def test_serving_tells_where_to_look(
    world: GitHubSandbox, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages are there while it waits, and it waits until it is interrupted."""
    seen: list[bytes] = []
    monkeypatch.setattr(GitHubSandbox, "wait", lambda world: seen.append(ask("GET", f"{world.server_url}/").data))
    console = Console(record=True, width=300)
    demo.serve_until_interrupted(world, tmp_path, console)
    assert b"An example change" in seen[0]
    told = console.export_text()
    for address in (world.server_url, world.api_url, world.graphql_url, f"{world.registry.full_name}.git"):
        assert address in told
