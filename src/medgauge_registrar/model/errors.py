"""The two ways a run can fail to reach a verdict; a contributor's fault is a `Finding` instead."""


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
