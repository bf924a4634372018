"""Words that several stages share."""


def sections(named: str) -> str:
    """Words for where a rule comes from: `section 18`, `sections 16, 18`, `App A`."""
    if not named[:1].isdigit():
        return named
    return f"sections {named}" if "," in named else f"section {named}"
