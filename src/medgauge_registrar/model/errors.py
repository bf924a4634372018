"""The two ways a run can fail to reach a verdict; a contributor's fault is a `Finding` instead."""

from pathlib import Path


class PolicyError(Exception):
    """An argument, or a pull, roster, ledger or policy file, is absent or invalid: exit status 2."""


class ReadError(Exception):
    """
    A repository, revision or service could not be read whole: exit status 3, never a verdict.

    Args:
        message: What could not be read, and the cure.
        may_pass_later: Whether the same run may succeed when it is repeated unchanged.
    """

    def __init__(self, message: str, *, may_pass_later: bool = False) -> None:
        super().__init__(message)
        self.may_pass_later = may_pass_later


def told(error: BaseException) -> str:
    """
    What an exception says to people.

    Of a fault of our own only its kind and its place in the code: its text may hold anything, closed facts among it.
    """
    if isinstance(error, ReadError | PolicyError):
        return str(error)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace is not None else ""
    return f"internal error ({type(error).__name__}{place}); please report it"
