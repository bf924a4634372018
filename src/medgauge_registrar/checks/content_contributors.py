"""What is never accepted from a contributor (NEV-03, NEV-04, NEV-06, NEV-07)."""

from collections.abc import Iterator

from medgauge_registrar.checks.content_lines import crossed_lines
from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check, file_check
from medgauge_registrar.content.licences import foreign_licence, is_licence_file
from medgauge_registrar.content.textfile import TextFile
from medgauge_registrar.model.change import Kind


@file_check("NEV-03", section="23, 3.1")
def outside_score(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    No score that was computed outside the initiative is recorded or told.

    Only the site's own runs and re-grades have every run behind them. Ask for a site run instead.

    Passes: The site computes every score.
    Fails: The vendor-reported score is 0.9.
    """
    yield from crossed_lines(file, "NEV-03")


@file_check("NEV-04", section="23")
def origin_identity(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    A check or reference does not say who it comes from.

    Graders must not learn whose rule they apply. Who contributed is known from the pull request.

    Passes: standard: std-example
    Fails: contributor: example-person-1
    """
    yield from crossed_lines(file, "NEV-04")


@file_check("NEV-06", section="23")
def foreign_licence_file(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Code and schemas are under Apache-2.0, content and registries under CC BY 4.0, and nothing under another licence.

    Whoever uses the registry relies on these two. Contribute under them, or not at all.

    Passes: SPDX-License-Identifier: Apache-2.0
    Fails: SPDX-License-Identifier: MIT
    """
    yield from crossed_lines(file, "NEV-06")
    if is_licence_file(file.path) and (why := foreign_licence(file.text)) is not None:
        yield Problem(
            message=f"the licence file {why}; expected Apache-2.0 or CC BY 4.0",
            help="Keep the two licences of the registry as they are, and add no other.",
        )


@change_check("NEV-06", section="23", kinds={Kind.OTHER, Kind.SCHEMA, Kind.ARTICLE})
def altered_licence(changed: ChangedRecord, _: Context) -> Iterator[Problem]:
    """
    The licence files of the registry stay as they are.

    Everything that was contributed so far came in under them.

    Passes: LICENSE untouched
    Fails: LICENSE removed, renamed or edited
    """
    if (
        changed.change.before is not None
        and is_licence_file(changed.old_path)
        and (changed.leaves or changed.rewritten)
    ):
        yield Problem(
            message=f"`{changed.old_path}` is a licence of the registry and was changed",
            help="Restore the file.",
        )


@file_check("NEV-07", section="12.2, Clinical Temporal Audit page")
def used_for_training(file: TextFile, _: Context) -> Iterator[Problem]:
    """
    Nothing taken from a task is used for training or targeted debugging.

    Such a task measures recall and has to be retired. Take it out, and report it in private; the material itself is looked for
    under BND-01 and BND-10.

    Passes: Task materials are never used for training.
    Fails: We used the holdout tasks for fine-tuning.
    """
    yield from crossed_lines(file, "NEV-07")
