"""Many clients at once lose nothing, and nothing of the server is left when it stops."""

import http.client
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from medgauge_registrar.sandbox.github.world import GitHubSandbox
from support.embedded import Ask

COMMENTS = "/repos/example-organisation/registry/issues/1/comments"


def test_writes_of_many_clients_are_all_there(world: GitHubSandbox, ask: Ask) -> None:
    """Each comment has an id of its own, each request is in the log, and each was counted."""
    used = world.rate_limit.used
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda number: ask("POST", COMMENTS, {"body": f"{number}"}), range(80)))
    assert {reply.status for reply in replies} == {201}
    assert sorted(int(comment.body) for comment in world.comments(1)) == list(range(80))
    assert len({comment.id for comment in world.comments(1)}) == 80
    assert len(world.requests) == 80
    assert world.rate_limit.used - used == 80


def test_a_server_that_stops_leaves_no_connection_and_no_thread(tmp_path: Path) -> None:
    """Not even that of a client which keeps its connection open and says nothing more."""
    before = threading.active_count()
    with GitHubSandbox(tmp_path) as world:
        port = int(world.server_url.rpartition(":")[2])
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        client.request("GET", "/api/v3/rate_limit")
        assert client.getresponse().read()
        assert client.sock is not None
    assert client.sock.recv(1) == b""
    client.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.daemon:
            thread.join(5)
    assert threading.active_count() <= before
