"""
Measure the content checks: a whole registry on one core, and five changed files beside detect-secrets.

    python benchmarks/content.py [--folder DIR] [--rounds N]

The verdicts come first: what was planted, and nothing else, must be found; and of five files both scanners must name the
same ones. Only then is anything timed. Times are processor seconds of whole commands, pinned to one core, in turn.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from generate import AT, AUTHOR, prose, records
from medgauge_registrar.checks.content_catalogue import FILE_CHECKS
from medgauge_registrar.git.write import NewCommit, create_repository, write_commits
from medgauge_registrar.starter import starter_files

BIN = Path(sys.executable).parent
REGISTRAR = (sys.executable, "-m", "medgauge_registrar")
RECORDS, TEXTS, PARAGRAPHS = 10_000, 200, 30
LIMIT_SECONDS = 60.0
SECRETS = {
    "docs/one.yml": "token: ghp_16C7e42F292c6912E7710c838347Ae178B4a\n",
    "docs/two.yml": 'password: "zq81KfPw02xx"\n',
    "docs/three.yml": "digest: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n",
    "docs/four.yml": "doi: 10.1000/182\ntrial: NCT01234567\n",
    "docs/five.yml": "key: |\n  -----BEGIN RSA PRIVATE KEY-----\n",
}
# What detect-secrets must be told not to look for, as the registrar does not (testbeds: every digest is one).
LEFT_OUT = ("HexHighEntropyString",)


def text(number: int) -> str:
    """A Markdown text of some kilobytes with links to its neighbours."""
    parts = [f"# Generated text {number}\n"]
    for part in range(PARAGRAPHS):
        neighbour = (number + part) % TEXTS
        parts.append(
            f"## Part {part}\n\n{prose(number + part, 40)} as [text {neighbour}](text-{neighbour:03}.md#part-{part}) says, "
            f"under section 12.1 and for the model of `gr-generated-{part:06}@0.1.0`.\n"
        )
    return "\n".join(parts)


def planted() -> dict[str, tuple[str, str]]:
    """Files with one fault each: path, and text and rule."""
    faults = {
        "link": ("See [it](text-999.md).\n", "BLD-03"),
        "heading": ("See [it](text-001.md#part-99).\n", "BLD-03"),
        "section": ("See section 77.\n", "BLD-04"),
        "claim": ("This model is certified by MedGauge.\n", "CLM-01"),
        "level": ("The model reached L3.\n", "RED-01"),
        "script": ("<script>1</script>\n", "BLD-06"),
        "letters": ("标准\n", "BLD-01"),
    }
    return {
        f"articles/fault-{name}.md": (f"---\ndate: 2026-11-01\ntitle: Fault\n---\n\n{words}", rule)
        for name, (words, rule) in faults.items()
    }


def generate(folder: Path) -> None:
    """Write `registry.git` with the branches `main` (without fault) and `faults`."""
    repository = folder / "registry.git"
    create_repository(repository)
    files: dict[str, bytes | None] = {**starter_files()}
    files |= {path: words.encode() for path, words in records(RECORDS)}
    files |= {
        f"articles/text-{number:03}.md": f"---\ndate: 2026-11-01\ntitle: Text\n---\n\n{text(number)}".encode()
        for number in range(TEXTS)
    }
    faults: dict[str, bytes | None] = {path: words.encode() for path, (words, _) in planted().items()}
    write_commits(
        repository,
        [
            NewCommit(branch="main", parents=[], files=files, modes={}, author=AUTHOR, at=AT),
            NewCommit(branch="faults", parents=["main"], files=faults, modes={}, author=AUTHOR, at=AT + 60),
        ],
    )


def run(command: Sequence[str], folder: Path | None = None) -> tuple[float, str]:
    """Processor seconds and output of a command on one core; wall clock would measure the neighbours too."""
    core = min(os.sched_getaffinity(0))
    start = _processor_seconds()
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        sys.exit(f"{' '.join(command)} failed: {done.stderr[-2000:]}")
    return _processor_seconds() - start, done.stdout


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def errors(output: str) -> set[tuple[str | None, str]]:
    """Paths and rules of the errors that content checks found."""
    ours = {check.rule for check in FILE_CHECKS}
    found = json.loads(output)["findings"]
    return {(item.get("path"), item["rule"]) for item in found if item["severity"] == "error" and item["rule"] in ours}


def whole(folder: Path, rounds: int) -> None:
    """The whole registry."""
    repository = str(folder / "registry.git")
    if not Path(repository).exists():
        folder.mkdir(parents=True, exist_ok=True)
        generate(folder)
    check = [*REGISTRAR, "check", "--repo", repository, "--format", "json"]
    expected = {(path, rule) for path, (_, rule) in planted().items()}
    for branch, wanted in (("main", set()), ("faults", expected)):
        found = errors(run([*check, branch])[1])
        if found != wanted:
            sys.exit(f"{branch}: these differ from what was planted: {sorted(found ^ wanted, key=str)[:10]}")
    print(f"verdicts: nothing on main, {len(expected)} planted faults and no other on faults")
    times = [run([*check, "main"])[0] for _ in range(rounds)]
    print(
        f"whole registry, {RECORDS:,} records and {TEXTS} texts, one core: median of processor time "
        f"{statistics.median(times):.1f} s, {min(times):.1f} to {max(times):.1f} s (limit {LIMIT_SECONDS:.0f} s)"
    )
    if statistics.median(times) > LIMIT_SECONDS:
        sys.exit("slower than the limit")


def five(folder: Path, rounds: int) -> None:
    """Five files beside detect-secrets."""
    place = folder / "five"
    for path, words in SECRETS.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(words)
    paths = list(SECRETS)
    ours = [sys.executable, "-c", "import sys; from medgauge_registrar.content.secrets import has_secret\n"
            "for path in sys.argv[1:]:\n    if has_secret(open(path).read()): print(path)", *paths]  # fmt: skip
    theirs = [str(BIN / "detect-secrets"), "scan", "--no-verify", "--all-files"]
    theirs += [word for name in LEFT_OUT for word in ("--disable-plugin", name)] + paths
    # Both name files as they were given, from the folder that holds them.
    found = set(run(ours, place)[1].split())
    other = set(json.loads(run(theirs, place)[1])["results"])
    if found != other or not found:
        sys.exit(f"the verdicts differ: {sorted(found)} and {sorted(other)}")
    print(f"verdicts: both name the same {len(found)} of five files")
    german = (place / "docs" / "german.md").resolve()
    german.write_text(
        "Dies ist ein Absatz in deutscher Sprache, der hier niemandem aufgefallen ist und lang genug bleibt.\n"
    )
    advice = [sys.executable, "-c", "import sys; from medgauge_registrar.content.language import foreign_passages\n"
              "from medgauge_registrar.content.passages import Passage\n"
              "print(len(list(foreign_passages([Passage(text=open(sys.argv[1]).read())]))))", str(german)]  # fmt: skip
    if run(advice)[1].strip() != "1":
        sys.exit("the German paragraph was not noticed")
    commands = {
        "registrar, secrets of five files": ours,
        "detect-secrets scan": theirs,
        "registrar, language of one file": advice,
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(run(command, place)[0])
    for name, taken in times.items():
        ratio = statistics.median(b / a for a, b in zip(times["detect-secrets scan"], taken, strict=True))
        print(f"  {name:36} median {statistics.median(taken):.2f} s, {ratio:.2f} x detect-secrets scan")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("bench-out/content"))
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, {arguments.rounds} rounds, load {os.getloadavg()[0]:.1f}")
    whole(arguments.folder, arguments.rounds)
    five(arguments.folder, arguments.rounds)


if __name__ == "__main__":
    main()
