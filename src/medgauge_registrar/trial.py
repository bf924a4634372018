"""Try a change of schemas on every record, in a child process with limits on time and memory (ENT-05)."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

from medgauge_registrar.model.finding import Finding, Severity

CPU_SECONDS = 120
WALL_SECONDS = 240
MEMORY_BYTES = 2 * 1024 * 1024 * 1024
MAX_FINDINGS = 200
RULE = "ENT-05"
SOURCE = "sections 16, 32"


def try_schemas(repository: Path, base_sha: str, head_sha: str) -> tuple[Finding, ...]:
    """
    Hold every record of the merge result against the schemas of the head.

    The schemas of the head are data from a contributor: they run in a child process whose time and memory are bounded,
    with regular expressions that take linear time, and with no way to the network.

    Returns:
        One finding a record that the head's schemas refuse, or one that says why they could not be tried.
    """
    command = [sys.executable, "-P", "-m", "medgauge_registrar.trial", str(repository), base_sha, head_sha]
    try:
        done = subprocess.run(command, capture_output=True, timeout=WALL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return (_untried(f"they took longer than {WALL_SECONDS} seconds"),)
    if done.returncode != 0:
        return (_untried("they passed the limits on time and memory, or the trial failed"),)
    try:
        return _told(done.stdout)
    except (ValueError, KeyError, TypeError):
        return (_untried("the trial gave no answer that could be read"),)


def _told(answer: bytes) -> tuple[Finding, ...]:
    """The findings that the child printed; raises if it printed anything else."""
    told = json.loads(answer)
    if not isinstance(told, list):
        raise TypeError("expected a list")
    return tuple(
        Finding(
            rule=RULE,
            severity=Severity.ERROR,
            message=str(item["message"]),
            help=str(item["help"]),
            source=SOURCE,
            path=item["path"],
            line=item["line"],
            column=item["column"],
            pointer=item["pointer"],
        )
        for item in told
    )


def _untried(why: str) -> Finding:
    return Finding(
        rule=RULE,
        severity=Severity.ERROR,
        message=f"the schemas of this branch could not be tried on the records: {why}",
        help="Make the schemas simpler, or split the change.",
        source=SOURCE,
    )


def main(arguments: list[str]) -> int:
    """Run the trial in this process, under limits, and print what was found as JSON."""
    repository, base_sha, head_sha = arguments
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    # Imported under the limits, and here because the parent has no use for them.
    from medgauge_registrar.checks.schema_trial import trial_findings

    told = [
        {
            "message": finding.message,
            "help": finding.help,
            "path": finding.path,
            "line": finding.line,
            "column": finding.column,
            "pointer": finding.pointer,
        }
        for finding in trial_findings(Path(repository), base_sha, head_sha)[:MAX_FINDINGS]
    ]
    json.dump(told, sys.stdout)
    return 0


if __name__ == "__main__":
    # os._exit: nothing that a schema set up may run at interpreter shutdown.
    status = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(status)
