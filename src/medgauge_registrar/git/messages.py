"""Foreign words in our messages: paths, revisions, and what git said."""


def shown(text: str) -> str:
    """Write foreign text so that it stays on one line, ends no code span, and can be printed anywhere."""
    one_line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return one_line.replace("`", "\\x60")


def complaint(stderr: str) -> str:
    """The one line of git's standard error that says why it stopped, shortened."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    chosen = next((line for line in lines if line.startswith("fatal:")), lines[0] if lines else "no message")
    return shown(chosen[:200])
