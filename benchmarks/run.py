"""
Measure the registrar against named peers, in turn, in one call; every figure is a ratio of medians of whole processes.

    python benchmarks/run.py [--folder bench-out] [--rounds 5] [--only whole|files|change]

1. whole: the whole registry of 10,000 records, against `peer.py`; once without the scan of content, which the peer does not
   do either, and once with it.
2. files: 800 files of one kind, against the `check-jsonschema` command.
3. change: a pull request of five files on 1,000, 10,000 and 100,000 records, half of them in the folder that changes,
   against itself and against `python -c pass`.

Verdicts are compared before anything is timed, on registries with faults in them.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
REGISTRAR = [sys.executable, "-m", "medgauge_registrar"]


def run(command: Sequence[str], folder: Path | None = None) -> tuple[float, str, int]:
    """Seconds of wall clock, standard output and exit status of one command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = process.communicate()
    seconds = time.perf_counter() - start
    if process.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: status {process.returncode}\n{err.decode()}")
    return seconds, out.decode(), process.returncode


def peak_megabytes(command: Sequence[str]) -> float:
    """Resident memory of the largest single process of a command."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    )
    return float(
        subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True).stdout
    )


def in_turn(commands: dict[str, Sequence[str]], rounds: int) -> dict[str, list[float]]:
    """Times of several commands, run one after another in every round."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(run(command)[0])
    return times


def report(title: str, times: dict[str, list[float]], base: str) -> None:
    """Print medians, and the median of the ratios round by round."""
    print(f"\n{title}")
    for name, own in times.items():
        ratio = statistics.median(peer / mine for peer, mine in zip(times[base], own, strict=True))
        print(f"  {name:<42} {statistics.median(own):8.3f} s   {ratio:7.2f} x faster than {base}")


def generated(folder: Path, records: int, defects: int = 0) -> Path:
    """A generated registry; made once."""
    place = folder / f"{records}-{defects}"
    if not (place / "pull.json").exists():
        place.mkdir(parents=True)
        command = [sys.executable, str(HERE / "generate.py"), str(place)]
        run([*command, "--records", str(records), "--defects", str(defects)])
        subprocess.run(["git", "-C", str(place / "registry.git"), "gc", "-q"], check=True)
    return place


def refused(output: str) -> set[str]:
    """Paths with an error, as `check --format json` tells them."""
    return {item["path"] for item in json.loads(output)["findings"] if item["severity"] == "error"}


def whole(folder: Path, rounds: int) -> None:
    """The whole registry against the usual libraries."""
    faulty = generated(folder, 2_000, 25)
    ours = refused(run([*REGISTRAR, "check", "main", "--repo", str(faulty / "registry.git"), "--format", "json"])[1])
    theirs = set(run([sys.executable, str(HERE / "peer.py"), str(faulty / "registry.git")])[1].split())
    if ours != theirs or not ours:
        sys.exit(f"the verdicts differ: {sorted(ours ^ theirs)[:10]}")
    print(f"both refuse the same {len(ours)} records")
    repository = str(generated(folder, 10_000) / "registry.git")
    check = [*REGISTRAR, "check", "main", "--repo", repository]
    records = [sys.executable, str(HERE / "records_only.py"), "check", "main", "--repo", repository]
    floor = [sys.executable, str(HERE / "floor.py"), repository]
    commands = {
        "peer (GitPython, C loader, jsonschema)": [sys.executable, str(HERE / "peer.py"), repository],
        "registrar check, records": records,
        "registrar check, records and content": check,
        "bare reading, parsing, validating": floor,
    }
    report("Whole registry, 10,000 records", in_turn(commands, rounds), "peer (GitPython, C loader, jsonschema)")
    print(f"  largest single process of registrar check: {peak_megabytes(check):.0f} MB")


def files(folder: Path, rounds: int) -> None:
    """800 files of one kind against `check-jsonschema`."""
    place = folder / "files"
    records = place / "registry" / "standards"
    if not records.exists():
        from generate import standard
        from medgauge_registrar.registry.schemas import SUFFIX, shipped_schema_files
        from medgauge_registrar.starter import starter_files

        records.mkdir(parents=True)
        (place / "schemas").mkdir()
        for name in ("common", "standard", "task-submission", "result"):
            (place / "schemas" / (name + SUFFIX)).write_bytes(shipped_schema_files()[name])
        (place / "methodology").mkdir()
        (place / "methodology" / "text.md").write_bytes(starter_files()["methodology/text.md"])
        for number in range(800):
            path, text = standard(number)
            (place / path).write_text(text, encoding="utf-8")
        subprocess.run(["git", "init", "-q", str(place)], check=True)
    paths = [str(path) for path in sorted(records.iterdir())]
    # check-jsonschema resolves relative references beside the schema file only if the schema's own id allows it.
    schema = folder / "standard-local.schema.json"
    loaded = json.loads((place / "schemas" / "standard.schema.json").read_text())
    common = json.loads((place / "schemas" / "common.schema.json").read_text())
    text = json.dumps(loaded).replace("common.schema.json#/$defs/", "#/$defs/")
    merged = json.loads(text)
    merged["$defs"] = {**json.loads(json.dumps(common["$defs"])), **merged.get("$defs", {})}
    schema.write_text(json.dumps(merged))
    commands = {
        "check-jsonschema": [str(BIN / "check-jsonschema"), "--schemafile", str(schema), *paths],
        "registrar check, records": [sys.executable, str(HERE / "records_only.py"), "check", "--repo", str(place)],
        "registrar check, records and content": [*REGISTRAR, "check", "--repo", str(place)],
    }
    for name, command in commands.items():
        if refusal := run(command)[2]:
            sys.exit(f"{name}: status {refusal} over valid files")
    report("800 files of one kind", in_turn(commands, rounds), "check-jsonschema")


def change(folder: Path, rounds: int) -> None:
    """A pull request of five files against registries of three sizes."""
    commands: dict[str, Sequence[str]] = {"python -c pass": [sys.executable, "-c", "pass"]}
    for records in (1_000, 10_000, 100_000):
        place = generated(folder, records)
        commands[f"registrar decide, {records:,} records"] = [
            *REGISTRAR, "decide", "--repo", str(place / "registry.git"), "--base", "main", "--head", "change",
            "--pull", str(place / "pull.json"), "--now", "2026-11-29T12:00:00Z", "--format", "json",
        ]  # fmt: skip
    states = {name: json.loads(run(command)[1])["state"] for name, command in commands.items() if "decide" in name}
    if set(states.values()) != {"pending"}:
        sys.exit(f"expected `pending` everywhere, found {states}")
    times = in_turn(commands, rounds)
    report("Pull request of five files", times, "python -c pass")
    small, large = times["registrar decide, 1,000 records"], times["registrar decide, 100,000 records"]
    growth = statistics.median(b / a for a, b in zip(small, large, strict=True))
    start = statistics.median(b / a for a, b in zip(times["python -c pass"], large, strict=True))
    print(f"  100,000 records take {growth:.2f} x the time of 1,000, and {start:.1f} x `python -c pass`")
    print(
        f"  largest process at 100,000 records: {peak_megabytes(commands['registrar decide, 100,000 records']):.0f} MB"
    )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("bench-out"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=("whole", "files", "change"))
    arguments = parser.parse_args()
    print(f"{len(os.sched_getaffinity(0))} cores, Python {sys.version.split()[0]}, {arguments.rounds} rounds in turn")
    for name, bench in (("whole", whole), ("files", files), ("change", change)):
        if arguments.only in (None, name):
            bench(arguments.folder, arguments.rounds)


if __name__ == "__main__":
    main()
