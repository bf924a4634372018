"""Redirects of renamed benchmarks (SCHEMA-REDIR-01); where they lead is asked by ID-06 and ID-08."""

from collections.abc import Iterator

from medgauge_registrar.checks.fields import lies_ahead, mapping
from medgauge_registrar.checks.framework import Context, Problem, Reach, record_check
from medgauge_registrar.model.change import Kind
from medgauge_registrar.registry.records import Record
from medgauge_registrar.registry.references import select


@record_check(
    "SCHEMA-REDIR-01",
    section="28",
    kinds={Kind.REDIRECTS},
    reach=Reach.REFERENCES,
    watches={(Kind.BM_CARD, "status")},
)
def redirect_from_living_card(record: Record, context: Context) -> Iterator[Problem]:
    """
    A redirect leads away from a retired card, and the list is in the order of its days, none of which lies ahead.

    The old card keeps its page, and says that it is retired, so that nobody takes it for a second benchmark. Retire it in the
    same pull request, and enter the pair at the end of the list.

    Passes: bm-a with status: retired, redirected to bm-b on the day of the rename
    Fails: bm-a with status: active, redirected to bm-b
    """
    latest = ""
    for pointer, entry in select(record.document.value, "redirects/*"):
        old, day = str(mapping(entry).get("old")), str(mapping(entry).get("date"))
        path = context.registry.path_of(Kind.BM_CARD, bm=old)
        card = context.registry.valid_record(path)
        if card is not None and card["status"] != "retired":
            yield Problem(
                message=f"`{old}` is redirected, and its card has the status `{card['status']}`",
                help=f"Set `status: retired` in `{path}`.",
                pointer=f"{pointer}/old",
            )
        if lies_ahead(day, context):
            yield Problem(
                message=f"`date` is `{day}`, a day that has begun nowhere on Earth",
                help="Give the day of the rename.",
                pointer=f"{pointer}/date",
            )
        if day < latest:
            yield Problem(
                message=f"`date` is `{day}`, after an entry of `{latest}`",
                help="Keep the entries in the order of their days.",
                pointer=f"{pointer}/date",
            )
        latest = max(latest, day)
