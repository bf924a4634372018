"""What is said to people who gave commands, beside the reaction that each command gets."""

from collections.abc import Mapping, Sequence

from medgauge_registrar.model.answer import CommandAnswer
from medgauge_registrar.report.escape import markdown_code, markdown_fence, markdown_message, markdown_text, shorten
from medgauge_registrar.report.words import role_name

# The latest are told; who gave an older command has read the answer or can ask again.
_TOLD = 10
_TEXT_CHARACTERS = 2_000
_WORD_CHARACTERS = 40


def answer_lines(answers: Sequence[CommandAnswer], explanations: Mapping[str, str], pull_url: str | None) -> list[str]:
    """
    The answers that a reaction cannot give: why a command does not count, with the role it takes, and explanations.

    Args:
        answers: Oldest first.
        explanations: Text for each subject that was asked about and is known.
        pull_url: Address of the pull request, for links to the comments.
    """
    told = [answer for answer in answers if not answer.accepted or answer.subject is not None][-_TOLD:]
    lines: list[str] = []
    for answer in told:
        command = markdown_code(f"/{answer.command}")
        where = f" ([comment]({pull_url}#issuecomment-{answer.comment}))" if pull_url is not None else ""
        if answer.subject is None:
            role = f"; it takes the role {markdown_text(role_name(answer.role))}" if answer.role is not None else ""
            lines.append(f"- {command}{where}: {markdown_message(answer.why)}{role}")
        elif answer.subject in explanations:
            text = shorten(explanations[answer.subject], _TEXT_CHARACTERS)
            lines += [f"- {command}{where}:", *(f"  {line}" for line in markdown_fence(text))]
        else:
            subject = markdown_code(shorten(answer.subject, _WORD_CHARACTERS))
            lines.append(f"- {command}{where}: there is no rule or row {subject}; `registrar rules` lists all")
    return lines
