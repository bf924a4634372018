"""The round that new results of the demonstration belong to, and results made like the one of the starter registry."""

from medgauge_registrar.sandbox.edits import Edit, Workspace, copy, put, swap

RESULT = "registry/results/bm-example-handover/0.2.0/res-example-handover-0-2-0-example-model-1.json"
NAME = "example-handover-0-2-0-example-model-1"
_SETTINGS = ".github/registrar.yml"
_SITE = 9013
_CONDITIONS = """\
    fixed_conditions:
      model_and_version: {model: MODEL, version: "1"}
      service_snapshot: {kind: snapshot, value: SNAPSHOT}
      reasoning_setting: SETTING
      runtime_environment: sha256:5b807c10675f1e91a443bf1d7850bd6d5adfb216400e29b5ed48032768ddf49c
      tool_permissions_and_list:
        permissions: [read inputs, write artifact]
        tools: [tl-example-reader@0.1.0]
      harness: hx-example-loop@0.1.0
      budget:
        step_limit: 60
        output_tokens: 8000
        timeouts: {run_seconds: 1800, action_seconds: 120}
        token_budget: 400000
"""


def _subject(model: str, snapshot: str, setting: str, *components: str) -> str:
    listed = f"    components: [{', '.join(components)}]\n" if components else ""
    conditions = _CONDITIONS.replace("MODEL", model).replace("SNAPSHOT", snapshot).replace("SETTING", setting)
    return f"  - model: {model}\n    harness: hx-example-loop@0.1.0\n{listed}{conditions}"


_PROTOCOL = (
    "# Synthetic: no such round, model or registration exists.\nid: example-round-2\n"
    'registration:\n  link: https://osf.io/xmpl2\n  registered_at: "2026-11-24T12:00:00Z"\nsubjects:\n'
    + _subject("Example Model 1", "example-model-1-2026-10-01", "high")
    + _subject("Example Model 1", "example-model-1-2026-10-01", "default", "tl-example-skill@0.1.0")
    + _subject(
        "Example Model 1", "example-model-1-2026-10-01", "default", "tl-example-skill@0.1.0", "tl-example-prompt@0.1.0"
    )
    + _subject("Example Model 2", "example-model-2-2026-10-01", "default")
)


def _plan(workspace: Workspace) -> None:
    """Plan a second round on the versions and under the terms of the first."""
    first = workspace.files["rounds/example-round-1/protocol.yaml"].decode()
    terms = first[first.index("benchmark_versions:") :]
    workspace.files["rounds/example-round-2/protocol.yaml"] = (_PROTOCOL + terms).encode()


# The site may file results, and has registered what it is going to run.
RESULT_BASE: tuple[Edit, ...] = (swap(_SETTINGS, "site_identities: []", f"site_identities: [{_SITE}]"), _plan)

OPEN_MODEL = put(
    "registry/models/Example%20Model%202.yaml",
    "# Synthetic.\nvendor_name: Example Model 2\nversion: 0.1.0\nintroduced_in: 0.1.0\nintroduced: 2026-11-26\n"
    "last_reviewed: 2026-11-26\nvendor: Example Vendor\nsnapshots: [example-model-2-2026-10-01]\naccess_route: vendor-api\n"
    "weights: open\n",
)


def path_of(name: str) -> str:
    """Path of another result on the same version."""
    return RESULT.replace("example-model-1", name)


def result(name: str, *changes: tuple[str, str]) -> Edit:
    """
    Add a result of the second round with the rows of the starter registry's.

    Args:
        name: Last part of its identifier.
        changes: Texts to replace; each has to occur.
    """
    return copy(
        RESULT,
        path_of(name),
        (NAME, NAME.replace("example-model-1", name)),
        ('"round": "example-round-1"', '"round": "example-round-2"'),
        ('"link": "https://osf.io/xmpl1", "registered_at": "2026-11-21T12:00:00Z"',
         '"link": "https://osf.io/xmpl2", "registered_at": "2026-11-24T12:00:00Z"'),
        ('"first_run_at": "2026-11-23T08:00:00Z"', '"first_run_at": "2026-11-25T08:00:00Z"'),
        ('"introduced": "2026-11-26"', '"introduced": "2026-11-29"'),
        ('"last_reviewed": "2026-11-26"', '"last_reviewed": "2026-11-29"'),
        *changes,
    )  # fmt: skip


def high(*changes: tuple[str, str]) -> Edit:
    """Add the result of the model under another reasoning setting."""
    return result("example-model-1-high", ('"reasoning_setting": "default"', '"reasoning_setting": "high"'), *changes)


def with_components(name: str, *components: str) -> Edit:
    """Add the result of the model with components, paired with the one in the registry."""
    listed = ", ".join(f'"{component}"' for component in components)
    control = f'"components": [{listed}],\n  "paired_with": "res-{NAME}",\n  "run_mode"'
    return result(name, ('"run_mode"', control))


def without_run(task: str, run: int) -> Edit:
    """Take one holdout run out of the result."""

    def edit(workspace: Workspace) -> None:
        path = path_of("example-model-1-high")
        lines = workspace.files[path].decode().splitlines(keepends=True)
        kept = [line for line in lines if not line.lstrip().startswith(_start(task, run))]
        if len(kept) != len(lines) - 1:
            raise ValueError(f"{path} does not hold {task} run {run} on one line")
        workspace.files[path] = "".join(kept).encode()

    return edit


def with_run_again(task: str, run: int) -> Edit:
    """Add one holdout run of the result once more, under another identifier and digest."""

    def edit(workspace: Workspace) -> None:
        path = path_of("example-model-1-high")
        text = workspace.files[path].decode()
        line = next(line for line in text.splitlines(keepends=True) if line.lstrip().startswith(_start(task, run)))
        before, _, rest = line.partition('"run_id": "')
        name, _, after = rest.partition('"')
        before_sha, _, sha = after.partition('"detail_sha": "')
        again = f'{before}"run_id": "{name}-again"{before_sha}"detail_sha": "{sha[1:64]}0{sha[64:]}'
        workspace.files[path] = text.replace(line, line + again).encode()

    return edit


def _start(task: str, run: int) -> str:
    return f'{{"task_key": "{task}", "subset": "holdout", "run": {run},'
