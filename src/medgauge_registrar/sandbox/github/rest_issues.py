"""REST: issues, conversation comments, reactions."""

from typing import Any

from medgauge_registrar.sandbox.github.calls import ROUTES, Answer, Call, Refused
from medgauge_registrar.sandbox.github.values import IssueComment, Reaction

_REPO = "/repos/{owner}/{repo}"
_ISSUE = _REPO + "/issues/{number}"
_COMMENT = _REPO + "/issues/comments/{id}"
# Longer ones are refused.
MAX_BODY_CHARACTERS = 65_536
_CONTENTS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")


@ROUTES.add("GET", _ISSUE, "issues:read")
def issue(call: Call) -> Answer:
    """An issue or a pull request."""
    number = call.number("number")
    found = call.hosted.issues.get(number) or call.hosted.pulls.get(number)
    if found is None:
        raise Refused(404)
    return Answer(data=call.world.shapes.issue(call.hosted, found))


@ROUTES.add("GET", _ISSUE + "/comments", "issues:read")
def comments(call: Call) -> Answer:
    """Comments of one conversation, oldest first."""
    issue(call)
    found = [comment for comment in call.hosted.comments.values() if comment.issue == call.number("number")]
    return call.page(found, lambda comment: call.world.shapes.comment(call.hosted, comment))


@ROUTES.add("POST", _ISSUE + "/comments", "issues:write")
def create_comment(call: Call) -> Answer:
    """Comment as the caller."""
    issue(call)
    comment = call.world.comment(call.number("number"), _body(call), by=_viewer(call), repository=call.hosted)
    shown = call.world.shapes.comment(call.hosted, comment)
    return Answer(status=201, data=shown, headers={"Location": shown["url"]})


@ROUTES.add("GET", _COMMENT, "issues:read")
def comment(call: Call) -> Answer:
    """One comment."""
    return Answer(data=call.world.shapes.comment(call.hosted, _found(call)))


@ROUTES.add("PATCH", _COMMENT, "issues:write")
def edit_comment(call: Call) -> Answer:
    """Edit a comment; whoever may write may edit anybody's."""
    found = _found(call)
    found.body, found.editor, found.edited_at = _body(call), _viewer(call), call.world.now
    return Answer(data=call.world.shapes.comment(call.hosted, found))


@ROUTES.add("DELETE", _COMMENT, "issues:write")
def delete_comment(call: Call) -> Answer:
    """Delete a comment."""
    found = _found(call)
    if found.issue in call.hosted.pulls:
        call.world.delete_comment(found.id, by=_viewer(call))
    else:
        del call.hosted.comments[found.id]
    return Answer(status=204)


@ROUTES.add("GET", _COMMENT + "/reactions", "issues:read")
def reactions(call: Call) -> Answer:
    """Reactions to a comment."""
    return call.page(_found(call).reactions, call.world.shapes.reaction)


@ROUTES.add("POST", _COMMENT + "/reactions", "issues:write")
def react(call: Call) -> Answer:
    """React; the same reaction again is answered with 200 and adds none."""
    found, content, viewer = _found(call), call.field("content", str), _viewer(call)
    if content not in _CONTENTS:
        raise Refused(
            422, "Validation Failed", errors=[{"resource": "Reaction", "code": "invalid", "field": "content"}]
        )
    for reaction in found.reactions:
        if reaction.user == viewer and reaction.content == content:
            return Answer(data=call.world.shapes.reaction(reaction))
    made = Reaction(id=call.world.new_id(), user=viewer, content=content, created_at=call.world.now)
    found.reactions.append(made)
    return Answer(status=201, data=call.world.shapes.reaction(made))


@ROUTES.add("DELETE", _COMMENT + "/reactions/{reaction}", "issues:write")
def withdraw_reaction(call: Call) -> Answer:
    """Take a reaction back."""
    found, number = _found(call), call.number("reaction")
    if all(reaction.id != number for reaction in found.reactions):
        raise Refused(404)
    found.reactions = [reaction for reaction in found.reactions if reaction.id != number]
    return Answer(status=204)


def _found(call: Call) -> IssueComment:
    found = call.hosted.comments.get(call.number("id"))
    if found is None:
        raise Refused(404)
    return found


def _body(call: Call) -> str:
    body: str = call.field("body", str)
    if not body.strip():
        raise _invalid("body can't be blank")
    if len(body) > MAX_BODY_CHARACTERS:
        raise _invalid(f"body is too long (maximum is {MAX_BODY_CHARACTERS} characters)")
    return body


def _invalid(message: str) -> Refused:
    error = {"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": message}
    return Refused(422, "Validation Failed", errors=[error])


def _viewer(call: Call) -> Any:
    if call.token is None:
        raise Refused(401, "Requires authentication")
    return call.token.viewer
