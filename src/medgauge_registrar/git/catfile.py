"""One persistent `git cat-file` that answers questions about objects, sizes before contents."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from medgauge_registrar.git.command import failure, git_dir
from medgauge_registrar.git.limits import Limits
from medgauge_registrar.git.messages import shown
from medgauge_registrar.git.process import Process
from medgauge_registrar.model.errors import ReadError
from medgauge_registrar.model.frozen import frozen


@frozen
class Header:
    """
    What git says of an object before its contents.

    Attributes:
        oid: Hexadecimal id.
        kind: `blob`, `tree`, `commit` or `tag`.
        size: Bytes of its contents.
    """

    oid: str
    kind: str
    size: int


@dataclass(slots=True)
class Question:
    """
    One object that was asked for; git answers in the order of asking.

    Attributes:
        name: What names the object.
        wants_contents: Whether the contents follow the header.
        header: What git said; null until the answer is here, or if the object is missing.
        contents: The bytes, if they were wanted and the object is there.
        answered: Whether the answer is here.
    """

    name: str
    wants_contents: bool
    header: Header | None = None
    contents: bytes | None = None
    answered: bool = False


class CatFile:
    """The reader of one repository. Not for use from several threads."""

    def __init__(self, git_directory: Path, limits: Limits) -> None:
        """Remember where to read; git starts with the first question."""
        self._git_directory = git_directory
        self._limits = limits
        self._process: Process | None = None
        self._open: deque[Question] = deque()
        self._buffer = bytearray()

    def headers(self, names: Iterable[str]) -> list[Header | None]:
        """
        Ask what objects are, null for those that are missing.

        Args:
            names: Full object ids, or such an id with `^{tree}` or `^{commit}` behind it.

        Raises:
            ReadError: Git ended or was too slow.
        """
        return [self.answer(question).header for question in self.ask(names, contents=False)]

    def ask(self, names: Iterable[str], *, contents: bool) -> Sequence[Question]:
        """
        Put questions without waiting for the answers.

        Contents are held from the moment somebody asks something later until the question is dropped, so ask only
        for as many bytes as may be held, once their headers are known.
        """
        questions = [Question(name, contents) for name in names]
        if questions:
            if self._process is None:
                self._process = Process(
                    ("cat-file", "--batch-command", "--buffer"),
                    seconds=self._limits.seconds,
                    place=git_dir(self._git_directory),
                    fed=True,
                    memory_bytes=self._limits.memory_bytes,
                )
            verb = "contents" if contents else "info"
            lines = [f"{verb} {question.name}\n" for question in questions]
            self._process.write("".join([*lines, "flush\n"]).encode("ascii"))
            self._open.extend(questions)
        return questions

    def answer(self, question: Question) -> Question:
        """
        Wait for the answer to a question, and for all that were put before it.

        Raises:
            ReadError: Git ended or was too slow.
        """
        if not question.answered and self._process is not None:
            self._process.renew()
        try:
            while not question.answered:
                self._receive()
        except ReadError:
            # What stands in the pipe fits no later question.
            self.close()
            raise
        return question

    def close(self) -> None:
        """End git; what was asked and not answered never will be."""
        if self._process is not None:
            self._process.close()
            self._process = None
        self._open.clear()
        self._buffer.clear()

    def _receive(self) -> None:
        if not self._open:
            raise _closed()
        question = self._open.popleft()
        line = self._line()
        fields = line.split(" ")
        if line != f"{question.name} missing":
            if len(fields) != 3 or not fields[2].isdigit():
                raise ReadError(f"git cat-file answered `{shown(line[:200])}` when asked for {question.name}")
            question.header = Header(oid=fields[0], kind=fields[1], size=int(fields[2]))
            if question.wants_contents:
                question.contents = self._exactly(question.header.size + 1)[:-1]
        question.answered = True

    def _line(self) -> str:
        while (end := self._buffer.find(b"\n")) < 0:
            self._more()
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line.decode("ascii", "backslashreplace")

    def _exactly(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._more()
        with memoryview(self._buffer) as view:
            data = bytes(view[:size])
        del self._buffer[:size]
        return data

    def _more(self) -> None:
        if self._process is None:
            raise _closed()
        piece = self._process.read()
        if not piece:
            raise failure("cat-file", self._process.finish())
        self._buffer += piece


def _closed() -> ReadError:
    return ReadError("the repository was closed, or failed, before it was read to the end: open it anew")
