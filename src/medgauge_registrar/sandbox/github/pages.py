"""The few pages for people who look around; nothing of the product reads them."""

import re
from html import escape
from typing import TYPE_CHECKING

from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.github.calls import Answer
from medgauge_registrar.sandbox.github.values import CommitStatus, Hosted, PullRequest

if TYPE_CHECKING:
    from medgauge_registrar.sandbox.github.world import GitHubSandbox

_PULL = re.compile(r"/[^/]+/[^/]+/pull/(?P<number>[0-9]+)")
# Comments hold what contributors wrote: no page runs a script or loads anything.
_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { border: 1px solid #8886; padding: .25rem .6rem; text-align: left; }
section { border: 1px solid #8886; border-radius: 6px; padding: .2rem 1rem; margin: 1rem 0; overflow-x: auto; }
code { background: #8882; border-radius: 4px; padding: 0 .2em; }
.success { color: #1a7f37; } .pending { color: #9a6700; } .failure, .error { color: #cf222e; }
"""


def answer_page(world: "GitHubSandbox", path: str) -> Answer:
    """A page about the registry; 404 where there is none."""
    hosted = world.registry
    match = _PULL.fullmatch(path)
    if match is not None and int(match["number"]) in hosted.pulls:
        pull = hosted.pulls[int(match["number"])]
        return _page(f"#{pull.number} {pull.title}", _conversation(world, hosted, pull))
    if path.strip("/") in {"", hosted.full_name}:
        return _page(hosted.full_name, _list(hosted))
    return Answer(status=404, raw=b"Not Found", media_type="text/plain")


def _list(hosted: Hosted) -> str:
    rows = [
        f'<tr><td>{pull.number}<td><a href="/{hosted.full_name}/pull/{pull.number}">{escape(pull.title)}</a>'
        f"<td>{_statuses(hosted.latest_statuses(pull.head_sha))}"
        for pull in sorted(hosted.pulls.values(), key=lambda pull: pull.number)
    ]
    return "<table><tr><th>#<th>Pull request<th>Status" + "".join(rows) + "</table>"


def _conversation(world: "GitHubSandbox", hosted: Hosted, pull: PullRequest) -> str:
    # Only this page shows Markdown.
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("gfm-like", {"linkify": False, "html": True})
    parts = [
        f'<p><a href="/">All pull requests</a> · {escape(_login(pull.author))} wants to merge '
        f"<code>{escape(pull.head_ref)}</code> into <code>{escape(pull.base_ref)}</code></p>",
        f"<p>{_statuses(hosted.latest_statuses(pull.head_sha))}</p>",
    ]
    said = [(review.user, f"({review.state})\n\n{review.body}") for review in pull.reviews]
    said += [(comment.user, comment.body) for comment in world.comments(pull.number)]
    parts += [
        f"<section><p><strong>{escape(_login(user))}</strong></p>{markdown.render(body)}</section>"
        for user, body in said
    ]
    return "".join(parts)


def _statuses(found: list[CommitStatus]) -> str:
    return "<br>".join(
        f'<span class="{escape(status.state)}">● {escape(status.state)}</span> <code>{escape(status.context)}</code> '
        f"{escape(status.description or '')}"
        for status in found
    )


def _login(user: User | None) -> str:
    return "ghost" if user is None else user.login


def _page(title: str, body: str) -> Answer:
    text = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
        f"<body><h1>{escape(title)}</h1>{body}"
    )
    return Answer(raw=text.encode("utf-8", "replace"), media_type="text/html; charset=utf-8", headers=_HEADERS)
