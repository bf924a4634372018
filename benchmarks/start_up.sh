#!/usr/bin/env bash
# What it costs to install the action, three ways, from nothing and without a cache: wall and processor seconds of each.
set -euo pipefail
cd "$(dirname "$0")/.."
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
wheels=(--quiet --disable-pip-version-check --no-cache-dir --require-hashes --only-binary ':all:' --no-deps)
run=requirements/run.lock

usual() { python3 -I -m venv "$1" && "$1/bin/python" -I -m pip install "${wheels[@]}" -r "$run"; }
lean() { python3 -I -m pip install "${wheels[@]}" --no-compile --target "$1" -r "$run"; }
action() { # the first step of action.yml
  RUNNER_TEMP=$there GITHUB_OUTPUT=/dev/null GITHUB_ACTION_PATH=$PWD bash -e -o pipefail -c "$(python3 - <<'PYTHON'
import re
script = re.search(r"run: \|\n(.*?)\n\n", open("action.yml", encoding="utf-8").read(), re.DOTALL)[1]
print(re.sub(r"^ {8}", "", script, flags=re.MULTILINE))
PYTHON
)"
}

TIMEFORMAT='%R s wall, %U s user, %S s system'
for way in usual lean action; do
  echo -n "$way: "
  time "$way" "$there/$way" > /dev/null 2>&1
done
