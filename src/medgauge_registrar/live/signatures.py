"""Who signed decision notes, asked of GitHub where a token is at hand."""

import os
from collections.abc import Collection, Mapping

from medgauge_registrar.record.audit import SignedByGitHub


def asks_github(environment: Mapping[str, str] = os.environ) -> SignedByGitHub | None:
    """
    A way to ask GitHub which commits it signed; null where there is no token or no repository to ask about.

    Raises:
        ReadError: An address is refused, or no token could be minted.
    """
    told = [environment.get(name, "").strip() for name in ("REGISTRAR_TOKEN", "REGISTRAR_APP_ID")]
    if not any(told) or not environment.get("GITHUB_REPOSITORY"):
        return None
    from medgauge_registrar.github.job import read_job
    from medgauge_registrar.github.notes import signed_by_github
    from medgauge_registrar.github.tokens import registry_client

    job = read_job(environment)
    client = registry_client(job)

    def ask(commits: Collection[str]) -> Collection[str]:
        return signed_by_github(client, job.repository, commits)

    return ask
