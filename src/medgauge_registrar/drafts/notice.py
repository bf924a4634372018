"""`registrar draft notice`: the notices that a change calls for and that are not there."""

from datetime import date

from medgauge_registrar.comparability.notices import announces, faults, new_notices
from medgauge_registrar.comparability.owed import owed_notices
from medgauge_registrar.comparability.writing import notice_path, notice_text
from medgauge_registrar.drafts.situation import Drafts, Situation
from medgauge_registrar.model.errors import PolicyError


def missing_notices(found: Situation, today: date) -> Drafts:
    """
    Write every notice that is owed and that no new notice brings without fault.

    Raises:
        PolicyError: A notice is owed and cannot be written yet.
    """
    notices = new_notices(found.head, found.changes)
    drafts: dict[str, str] = {}
    for owed in owed_notices(found.base, found.head, found.changes):
        meant = [notice for notice in notices if announces(notice, owed)]
        if not owed.required or any(not any(True for _ in faults(notice, owed)) for notice in meant):
            continue
        path = meant[0].path if meant else notice_path(owed, today.isoformat(), found.head)
        text = notice_text(owed, path)
        if text is None:
            raise PolicyError(
                f"no notice of {owed.what} can be written yet: no version leads from one to another; "
                "`registrar draft change-log` raises the version of the methodology first"
            )
        drafts.setdefault(path, text)
    return drafts
