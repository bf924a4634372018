"""What a run leaves for its job: outputs of the step, and the summary on its page."""

from collections.abc import Sequence
from pathlib import Path

from medgauge_registrar.github.job import Job
from medgauge_registrar.live.gate import Settled
from medgauge_registrar.model.decision import State
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.report.document import decision_json
from medgauge_registrar.report.escape import markdown_text
from medgauge_registrar.report.status import URGENCY
from medgauge_registrar.report.summary import BUDGET_BYTES, render_summary


def write_results(job: Job, settled: Sequence[Settled]) -> None:
    """
    Write outputs and summary, where the job has files for them.

    Of several pull requests, output `state` is the gravest, and the summary has a line for each; the outputs `decision` and
    `comment-url` are about a single one.

    Raises:
        ReadError: A file cannot be written.

    Source:
        GitHub Actions, "Workflow commands": `GITHUB_OUTPUT`, `GITHUB_STEP_SUMMARY`.
    """
    if not settled:
        return
    try:
        if job.output is not None:
            with job.output.open("a", encoding="utf-8") as file:
                file.writelines(f"{name}={value}\n" for name, value in _outputs(job, settled).items())
        if job.summary is not None:
            _append(job.summary, _summary(settled))
    except OSError as error:
        raise ReadError(f"the results of the step cannot be written: {error.strerror}") from None


def _outputs(job: Job, settled: Sequence[Settled]) -> dict[str, str]:
    states = [one.decision.state if one.decision is not None else State.ERROR for one in settled]
    outputs = {"state": min(states, key=URGENCY.index).value}
    if len(settled) == 1:
        (one,) = settled
        if one.comment_url is not None:
            outputs["comment-url"] = one.comment_url
        if one.decision is not None and job.temporary is not None:
            path = job.temporary / f"registrar-decision-{one.number}.json"
            path.write_text(decision_json(one.decision), encoding="utf-8")
            outputs["decision"] = str(path)
    return outputs


def _summary(settled: Sequence[Settled]) -> str:
    if len(settled) == 1 and settled[0].decision is not None:
        return render_summary(settled[0].decision, pull_url=settled[0].url)
    lines = [f"- [#{one.number}]({one.url}) {markdown_text(one.message)}" for one in settled]
    return "\n".join(lines) + "\n"


def _append(path: Path, text: str) -> None:
    """Add to the summary of the step, and never over its limit: a longer one is dropped whole by GitHub."""
    there = path.stat().st_size if path.exists() else 0
    room = max(0, BUDGET_BYTES - there)
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(text.encode()[:room].decode(errors="ignore"))
