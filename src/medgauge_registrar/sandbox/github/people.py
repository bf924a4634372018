"""How commits name accounts: the addresses that GitHub makes, and what maps them back."""

from datetime import datetime

from medgauge_registrar.model.pull import User
from medgauge_registrar.sandbox.github.objects import Signature


def address(user: User) -> str:
    """Name and address by which GitHub knows the commits of an account."""
    return f"{user.login} <{user.id}+{user.login}@users.noreply.github.com>"


def web_flow(at: datetime) -> Signature:
    """The signature of a commit that GitHub itself makes."""
    return Signature(name="GitHub", email="noreply@github.com", date=at.isoformat())


def committed_by(user: User, at: datetime) -> Signature:
    """The signature of a commit that an App makes through the interface."""
    return Signature(name=user.login, email=f"{user.id}+{user.login}@users.noreply.github.com", date=at.isoformat())
