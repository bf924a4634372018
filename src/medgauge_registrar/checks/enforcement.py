"""The enforcement surface: settings that still work after the merge, and no roster in the open."""

from collections.abc import Iterator

from medgauge_registrar.checks.framework import ChangedRecord, Context, Problem, change_check, problem_of
from medgauge_registrar.model.change import Kind
from medgauge_registrar.model.document import Json
from medgauge_registrar.model.roster import Role
from medgauge_registrar.model.tree import FILE_MODES
from medgauge_registrar.patterns import lazy_pattern
from medgauge_registrar.policy.load import SETTINGS_PATH, settings_faults
from medgauge_registrar.registry.reader import Syntax, read_document

_OWNERSHIP_FILE = "CODEOWNERS"
_ROLES = frozenset(role.value for role in Role)
# `@owner` without a slash is a person; `@organisation/team` is a team. Addresses are people too.
_PERSON = lazy_pattern(r"(?<![^\s])(?:@[A-Za-z0-9][A-Za-z0-9-]{0,38}(?![A-Za-z0-9/_-])|[^\s@]+@[^\s@]+)")
_ACCOUNT_KEYS = frozenset({"login", "id", "user", "account", "name", "email"})
_KEY = lazy_pattern(r"""["']?([A-Za-z]{2,12})["']?[ \t]*:""")
_ROSTER_SUFFIXES = (".yaml", ".yml", ".json")


@change_check("DEC-31", section="22", kinds={Kind.INFRA})
def unusable_settings(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    The settings file stays readable and within its schema, so that the next pull request can be decided.

    Settings are taken from the base branch: once unusable ones are merged, nothing can be decided any more. Mend what
    is named; only the keys of the schema can be tuned.

    Passes: status_context: registrar
    Fails: rows: {M1: {seats: []}}
    """
    if SETTINGS_PATH not in {changed.change.path, changed.old_path}:
        return
    for fault in settings_faults(context.registry.tree):
        yield problem_of(fault, SETTINGS_PATH)


@change_check("ROLE-15", section="12.1, 21", kinds=frozenset(Kind))
def roster_in_the_open(changed: ChangedRecord, context: Context) -> Iterator[Problem]:
    """
    No file of the registry says which person holds which role.

    Records of roles and standing are closed. Keep the roster in its private place, and name teams rather than people in
    ownership files.

    Passes: schemas/ @example-organisation/maintainers
    Fails: schemas/ @example-person-1
    """
    path = changed.change.path
    entry = context.registry.tree.entry(path)
    if entry is None or entry.mode not in FILE_MODES:
        return
    name = path.rsplit("/", 1)[-1]
    if name == _OWNERSHIP_FILE:
        text = (context.registry.tree.read(path) or b"").decode("utf-8", "replace")
        for line in text.splitlines():
            if _PERSON.search(line.partition("#")[0]):
                yield Problem(
                    message="the ownership file names a person, expected teams (`@organisation/team`) only",
                    help="Name a team instead.",
                )
                return
    elif name.endswith(_ROSTER_SUFFIXES) and (data := context.registry.tree.read(path)) is not None:
        document = read_document(data, syntax=Syntax.JSON if name.endswith(".json") else Syntax.YAML)
        # A file outside the registry need not be strict; what cannot be parsed is judged by its words.
        found = _reads_like_a_roster(data) if document.faults else _ties_people_to_roles(document.value)
        if found:
            yield Problem(
                message="this file reads like a roster: it ties accounts to roles",
                help="Take it out of every commit of the branch and keep the roster in its private place.",
            )


def _reads_like_a_roster(data: bytes) -> bool:
    """Whether a text has keys of accounts and of roles, and names a role."""
    text = data.decode("utf-8", "replace")
    keys = {match.group(1).casefold() for match in _KEY.finditer(text)}
    return bool(keys & _ACCOUNT_KEYS and keys & {"role", "roles"}) and any(role in text for role in _ROLES)


def _ties_people_to_roles(value: Json) -> bool:
    """Whether any mapping names an account and roles of the methodology beside each other."""
    pending: list[Json] = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            roles = node.get("roles", node.get("role"))
            named = {role for role in (roles if isinstance(roles, list) else [roles]) if isinstance(role, str)}
            if named & _ROLES and node.keys() & _ACCOUNT_KEYS:
                return True
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)
    return False
