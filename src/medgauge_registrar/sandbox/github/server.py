"""The HTTP server: threads on loopback that hand requests to the interfaces and carry ordered faults out."""

import contextlib
import gzip
import hashlib
import json
import select
import socket
import struct
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from medgauge_registrar.sandbox.github import rest_checks, rest_git, rest_issues, rest_pulls, rest_settings
from medgauge_registrar.sandbox.github.calls import ROUTES, Answer, Call, Refused
from medgauge_registrar.sandbox.github.credentials import authorised, credential
from medgauge_registrar.sandbox.github.faults import Failure, Fault
from medgauge_registrar.sandbox.github.graphql import answer_graphql
from medgauge_registrar.sandbox.github.limits import primary_limit
from medgauge_registrar.sandbox.github.pages import answer_page
from medgauge_registrar.sandbox.github.smart_http import answer_git, is_git
from medgauge_registrar.sandbox.github.values import Logged, Token

if TYPE_CHECKING:
    from medgauge_registrar.sandbox.github.world import GitHubSandbox

# Importing them fills the table of routes.
REST = (rest_checks, rest_git, rest_issues, rest_pulls, rest_settings)
_REST, _GRAPHQL = "/api/v3", "/api/graphql"
_MAX_BODY_BYTES = 64 * 1024 * 1024
_PATIENCE_SECONDS = 0.05


class Server:
    """Listens on 127.0.0.1 from the moment it is made; answers from `start` to `stop`."""

    def __init__(self, world: "GitHubSandbox") -> None:
        """Take a free port."""
        self._http = _HttpServer(world)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(_PATIENCE_SECONDS,), daemon=True)
        self.port = self._http.server_address[1]

    def start(self) -> None:
        """Answer requests."""
        self._thread.start()

    def stop(self) -> None:
        """Close every connection and end."""
        self._http.stopping.set()
        if self._thread.is_alive():
            self._http.shutdown()
            self._thread.join()
        self._http.close_connections()
        self._http.server_close()


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, world: "GitHubSandbox") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.world = world
        self.stopping = threading.Event()
        self._open: set[socket.socket] = set()
        self._open_lock = threading.Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._open_lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._open_lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def close_connections(self) -> None:
        with self._open_lock:
            connections = list(self._open)
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no fault of the server."""
        if not self.stopping.is_set():
            import sys

            if not isinstance(sys.exception(), ConnectionError):
                super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "GitHub-sandbox"
    # One write an answer: head and body apart would wait for each other's acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _HttpServer

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PATCH(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def do_DELETE(self) -> None:
        self._serve()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        """Say nothing; `requests` of the world has it all."""

    def _serve(self) -> None:
        world = self.server.world
        body = self._body()
        fault = world.faults.strike(self.command, self.path, body)
        token = credential(world, self.headers.get("Authorization", ""))
        if fault is not None and fault.failure in {Failure.TIMEOUT, Failure.RESET}:
            if fault.done:
                self._answer(token, body)
            self._log(token, 0, body)
            self._give_up(fault)
            return
        if fault is not None and fault.failure is Failure.STATUS:
            if fault.done:
                self._answer(token, body)
            answer = _spoken(fault)
        else:
            answer = self._answer(token, body)
        self._log(token, answer.status, body)
        self._send(answer, fault)

    def _answer(self, token: Token | None, body: bytes) -> Answer:
        path = urlsplit(self.path).path
        world = self.server.world
        if is_git(path):
            return answer_git(world, self.command, self.path, self.headers, body)
        if path == _GRAPHQL or path.startswith(f"{_REST}/"):
            return self._api(path, token, body)
        with world.lock:
            return answer_page(world, path)

    def _api(self, path: str, token: Token | None, body: bytes) -> Answer:
        world = self.server.world
        resource = "graphql" if path == _GRAPHQL else "core"
        with world.lock:
            try:
                authorised(world, token, self.headers.get("Authorization", ""))
                free = path == f"{_REST}/rate_limit"
                if not free and world.rate_limit.remaining == 0:
                    answer = _json(403, primary_limit(token.viewer.id if token else 0))
                else:
                    answer = answer_graphql(world, token, body) if path == _GRAPHQL else self._rest(path, token, body)
                    answer = self._tagged(answer)
                    if not free and answer.status != 304:
                        world.rate_limit.used += 1
            except Refused as refused:
                answer = _json(refused.status, refused.body)
                world.rate_limit.used += 1
            return replace(answer, headers={**world.rate_limit.headers(resource), **answer.headers})

    def _rest(self, path: str, token: Token | None, body: bytes) -> Answer:
        world = self.server.world
        target = _plain_form(world, path.removeprefix(_REST))
        run, permission, names = ROUTES.find(self.command, target)
        call = Call(
            world=world,
            token=token,
            method=self.command,
            target=target,
            names=names,
            query=dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True)),
            body=_parsed(body),
            accept=self.headers.get("Accept", ""),
            authorization=self.headers.get("Authorization", ""),
        )
        if permission is not None:
            _permitted(call, permission)
        return run(call)

    def _tagged(self, answer: Answer) -> Answer:
        """Give an answer to a reading request its tag, and nothing more to one who has it already."""
        if self.command != "GET" or answer.status != 200 or answer.data is None:
            return answer
        digest = hashlib.sha256(_bytes(answer)).hexdigest()
        tag = f'W/"{digest}"'
        if self.headers.get("If-None-Match") == tag:
            return Answer(status=304, headers={"ETag": tag})
        return replace(answer, headers={**answer.headers, "ETag": tag})

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            data = b"".join(self._chunks())
        else:
            length = int(self.headers.get("Content-Length") or 0)
            if length > _MAX_BODY_BYTES:
                self.close_connection = True
                return b""
            data = self.rfile.read(length)
        return gzip.decompress(data) if self.headers.get("Content-Encoding") == "gzip" else data

    def _chunks(self) -> Any:
        total = 0
        while size := int(self.rfile.readline().split(b";")[0], 16):
            total += size
            if total > _MAX_BODY_BYTES:
                self.close_connection = True
                return
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def _send(self, answer: Answer, fault: Fault | None) -> None:
        data = _bytes(answer)
        if fault is not None and fault.failure is Failure.MALFORMED:
            data = data[: len(data) // 2] + b"\x00<"
        self.send_response(answer.status)
        if answer.status not in {204, 304}:
            self.send_header("Content-Type", answer.media_type)
            self.send_header("Content-Length", str(len(data)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if fault is not None and fault.failure is Failure.TRUNCATED:
            self.wfile.write(data[: len(data) // 2])
            self.close_connection = True
        elif answer.status not in {204, 304}:
            self.wfile.write(data)

    def _give_up(self, fault: Fault) -> None:
        """Leave a request without an answer: hang up on it, or be silent until the other side or the server ends."""
        self.close_connection = True
        if fault.failure is Failure.RESET:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            return
        while not self.server.stopping.is_set():
            readable, _, _ = select.select([self.connection], [], [], _PATIENCE_SECONDS)
            if readable:
                return

    def _log(self, token: Token | None, status: int, body: bytes) -> None:
        login = None if token is None else token.viewer.login
        logged = Logged(method=self.command, target=self.path, login=login, status=status, body=body)
        with self.server.world.lock:
            self.server.world.requests.append(logged)


def _plain_form(world: "GitHubSandbox", target: str) -> str:
    """The described form of an address that GitHub's own links write by number."""
    parts = target.split("/")
    if parts[1] == "repositories" and len(parts) > 2:
        found = next((hosted for hosted in world.repositories.values() if str(hosted.id) == parts[2]), None)
        if found is not None:
            return "/".join(["", "repos", found.owner.login, found.name, *parts[3:]])
    if parts[1] == "organizations" and len(parts) > 4 and parts[3] == "team":
        team = next((team for team in world.teams.values() if str(team.id) == parts[4]), None)
        if team is not None:
            return "/".join(["", "orgs", world.registry.owner.login, "teams", team.slug, *parts[5:]])
    return target


def _permitted(call: Call, permission: str) -> None:
    """Hold the caller to the permission of the route: `name:level`."""
    name, _, level = permission.partition(":")
    if call.token is None:
        if level == "read" and name in {"contents", "pull_requests", "issues", "statuses", "checks", "metadata"}:
            return
        raise Refused(401, "Requires authentication")
    hosted = call.hosted if "owner" in call.names else None
    public = hosted is not None and not hosted.private and level == "read" and name != "administration"
    if not public and not call.token.may(name, level):
        raise Refused(403)
    if hosted is not None and level != "read" and not call.token.sees(hosted.full_name.casefold()):
        raise Refused(403)


def _parsed(body: bytes) -> dict[str, Any]:
    if not body:
        return {}
    try:
        value = json.loads(body)
    except ValueError:
        raise Refused(400, "Problems parsing JSON") from None
    if isinstance(value, list):
        return {"": value}
    if not isinstance(value, dict):
        raise Refused(400, "Body should be a JSON object")
    return value


def _spoken(fault: Fault) -> Answer:
    if isinstance(fault.content, bytes):
        return Answer(status=fault.status, raw=fault.content, media_type="text/html", headers=fault.headers)
    return replace(_json(fault.status, fault.content), headers=fault.headers)


def _json(status: int, body: Any) -> Answer:
    return Answer(status=status, data=body)


def _bytes(answer: Answer) -> bytes:
    if answer.raw is not None:
        return answer.raw
    if answer.data is None:
        return b""
    return json.dumps(answer.data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogateescape")
