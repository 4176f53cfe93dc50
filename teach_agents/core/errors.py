"""Every error this package raises on purpose, under one root.

Input is refused where it enters. An `InputError` says where, what is wrong, the offending value, and what would
have been valid; a near miss among the valid values is offered as a correction.
"""

from __future__ import annotations

import difflib
import os
import traceback
from collections.abc import Iterable

_SHOWN = 12


def explained(error: BaseException) -> str:
    """An exception as messages tell of it: its kind, and what it says."""
    return f"{type(error).__name__}: {error}"


def trace_of(error: BaseException) -> str:
    """An exception, and those that led to it, by kind and place in the code: for logs.

    What they say is left out: it may hold what people said.
    """
    lines: list[str] = []
    known: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in known:
        known.add(id(at))
        frames = traceback.extract_tb(at.__traceback__)
        lines.append(type(at).__name__)
        lines += [f"  {frame.filename}, line {frame.lineno}, in {frame.name}" for frame in frames]
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    return "\n".join(lines)


class TeachAgentsError(Exception):
    """Root of every error raised on purpose by teach_agents."""


class InputError(TeachAgentsError, ValueError):
    """Bad input, refused where it entered.

    `where` is or names the file, option or call; `problem` says what is wrong in words; `value` is the offending value
    (its repr is shown unless it is `None`); `valid` lists what would have been accepted. Paths are kept as texts.
    """

    def __init__(self, where: object, problem: str, *, value: object = None, valid: Iterable[object] = ()) -> None:
        self.where = str(where)
        self.problem = problem
        self.value = os.fspath(value) if isinstance(value, os.PathLike) else value
        self.valid = tuple(map(str, valid))
        super().__init__(self._message())

    @classmethod
    def check(cls, where: str, value: object, valid: Iterable[str], what: str = "choice") -> None:
        """Refuse a value that is none of the valid ones."""
        known = tuple(valid)
        if value not in known:
            raise cls(where, f"there is no such {what}", value=value, valid=known)

    def _message(self) -> str:
        parts = [f"{self.where}: {self.problem}"]
        if self.value is not None:
            parts.append(f"got {self.value!r}")
        near = difflib.get_close_matches(str(self.value), self.valid, n=1, cutoff=0.6)
        if near:
            parts.append(f"did you mean {near[0]!r}?")
        elif self.valid:
            shown = ", ".join(self.valid[:_SHOWN])
            more = f", ... ({len(self.valid)} in all)" if len(self.valid) > _SHOWN else ""
            parts.append(f"valid: {shown}{more}")
        return "; ".join(parts)


class ActionError(InputError):
    """An action that does not exist, or lacks or misuses a parameter."""


class DownloadError(TeachAgentsError):
    """An archive could not be downloaded or unpacked; the message names it and says what to do."""


class SpecError(InputError):
    """A SPEC (`name[:key=value,...]`, `module:Class`, `http(s)://...`) that cannot be read or built."""


class MissingParameterError(SpecError):
    """A SPEC without a `parameter` that its factory needs, or that is made where nobody can hand out what it needs."""

    def __init__(self, where: str, parameter: str) -> None:
        self.parameter = parameter
        super().__init__(where, f"needs the parameter {parameter!r}", valid=[f"{where}:{parameter}=..."])


class RecordError(InputError):
    """A session record that is damaged or does not replay to the state it claims."""


class PluginError(TeachAgentsError):
    """A plugin that cannot be registered; the message names it."""


class MissingExtraError(TeachAgentsError):
    """An optional package is absent; the message names the extra that installs it."""

    def __init__(self, package: str, extra: str) -> None:
        self.package = package
        self.extra = extra
        super().__init__(f"{package} is not installed; install it with: pip install 'teach-agents[{extra}]'")


class ModelError(TeachAgentsError):
    """A language model that cannot be reached, refuses, or breaks down."""


class ModelMissingError(ModelError):
    """A model whose weights are not on this machine; the message says how to get them."""


class ModelReplyError(ModelError):
    """A reply that is not what was asked for: no choice, no JSON that fits, damaged or enormous."""


class ModelTimeoutError(ModelError):
    """A model that did not answer within its time limit."""


class PrivilegeError(TeachAgentsError):
    """An agent read privileged information that it had not asked for."""


class BusError(TeachAgentsError):
    """A message could not be delivered; nothing is lost silently."""


class BusClosedError(BusError):
    """The bus was closed."""


class BusFullError(BusError):
    """A subscriber's queue stayed full for longer than the bus waits."""


class NobodyListensError(BusError):
    """A message for an address at which nobody listens."""


class BusLostError(BusError):
    """What lay in a mailbox is lost, as Redis was restarted without its data; the mailbox is open again."""


class BusReplacedError(BusError):
    """Another process stands in for this worker now; what this one does is heard no more."""


class RequestTimeoutError(BusError):
    """No reply to a request within its time limit."""
