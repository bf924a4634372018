"""Which rows a roster can never fill, told by row id alone."""

from datetime import UTC, date, datetime

import pytest

from medgauge_registrar.doctor.people import look_at_roster, unfillable_rows
from medgauge_registrar.model.checkup import Standing
from medgauge_registrar.model.roster import Person, Role, Roster, Term
from medgauge_registrar.policy.load import shipped_table

NOW = datetime(2026, 11, 30, tzinfo=UTC)
ONE_MAINTAINER = ("M2", "M3", "M4", "M6", "M6a", "M7", "M8", "M9", "M11", "M12", "M14", "M15", "M17")


def roster(*roles: tuple[Role, ...], terms: tuple[Term, ...] = ()) -> Roster:
    return Roster(
        people=tuple(
            Person(id=9000 + number, login=f"example-{number}", roles=held, terms=terms)
            for number, held in enumerate(roles)
        )
    )


def rows(given: Roster) -> tuple[str, ...]:
    return unfillable_rows(given, shipped_table(), NOW)


def test_nobody_fills_no_row_with_a_seat() -> None:
    """Rows without a seat wait for nobody."""
    table = shipped_table()
    assert set(rows(Roster())) == {row.id for row in table.rows.values() if row.seats}


def test_one_maintainer_fills_rows_with_one_seat() -> None:
    """The person cannot sit in two seats of a row, however many roles there are."""
    assert rows(roster((Role.MAINTAINER,))) == ONE_MAINTAINER
    assert rows(roster(tuple(Role))) == ONE_MAINTAINER


def test_two_maintainers_still_lack_the_other_roles() -> None:
    """A maintainer may sit as acceptor or reviewer, and as nothing else."""
    assert rows(roster((Role.MAINTAINER,), (Role.MAINTAINER,))) == ("M2", "M4", "M14")


def test_a_full_roster() -> None:
    """One maintainer more and the two roles that no maintainer replaces fill every row."""
    full = roster((Role.MAINTAINER,), (Role.MAINTAINER,), (Role.REFERENCE_ENGINEER,), (Role.RESULTS_REVIEWER,))
    assert rows(full) == ()
    found, spare = look_at_roster(full, shipped_table(), NOW)
    assert found.standing is Standing.GOOD
    assert (spare.standing, spare.said.split(":")[0]) == (Standing.BY_HAND, "has nobody to spare in these rows")


def test_a_roster_with_somebody_to_spare() -> None:
    """With one more of each, changes by bots can be approved as well."""
    more = roster(*[(Role.MAINTAINER,)] * 3, *[(Role.REFERENCE_ENGINEER,)] * 2, *[(Role.RESULTS_REVIEWER,)] * 2)
    (found,) = look_at_roster(more, shipped_table(), NOW)
    assert found.standing is Standing.GOOD
    assert unfillable_rows(more, shipped_table(), NOW, spare=True) == ()


@pytest.mark.parametrize(("until", "ended"), [(date(2026, 11, 30), True), (date(2026, 12, 1), False), (None, False)])
def test_a_term_that_ended_fills_nothing(until: date | None, ended: bool) -> None:
    """Today decides, and the last day of a term is no part of it."""
    term = Term(role=Role.MAINTAINER, from_day=date(2026, 1, 1), until=until)
    assert ("M1" in rows(roster((Role.MAINTAINER,), terms=(term,)))) is ended


def test_only_row_ids_are_told() -> None:
    """Neither people nor how many there are, nor the role that is missing."""
    found, spare = look_at_roster(roster((Role.MAINTAINER,)), shipped_table(), NOW)
    assert (found.standing, found.said) == (Standing.WRONG, f"can never fill these rows: {', '.join(ONE_MAINTAINER)}")
    told = f"{found.said} {found.cure} {spare.said} {spare.cure}"
    assert not any(word in told for word in ("example-0", "9000", "maintainer"))
