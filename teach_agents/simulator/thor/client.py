"""The `ai2thor` package's controller, with limits of time and one place where its errors become ours.

How AI2-THOR is started, and how long it may take.

Nothing waits for ever: a thread that ends AI2-THOR's process when an action takes too long. The package reads its
pipe without a limit; when the process is gone the read ends. While the process starts, the package waits for somebody
to open the pipe at the other end; should it die before, the watchdog does so in its place.
"""

from __future__ import annotations

import math
import os
import shlex
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import ActionError, InputError, MissingExtraError, SceneError, SimulatorError
from teach_agents.simulator.double import command
from teach_agents.simulator.double.releases import PLATFORMS, is_double, release_folder

_REAP = 5.0
_UNKNOWN_SCENE = "not contained in build"


class ThorClient:
    """One process of AI2-THOR. `initial` are its Initialize parameters, `size` the pictures' width and height.

    Every method raises `SimulatorError` when the process cannot start, ends, or takes too long; the process is then
    gone and the client is of no more use.
    """

    def __init__(self, launch: Launch, scene: str, size: int, initial: JsonMapping) -> None:
        controller = _controller_class()
        self._launch = launch
        self._controller = controller.__new__(controller)
        self._watchdog = Watchdog(lambda: getattr(self._controller, "server", None))
        self.closed = False
        self._server: Any = None
        with self._guarded("start AI2-THOR", launch.start_time, scene):
            self._controller.__init__(scene=scene, width=size, height=size, **launch.options(), **initial)
            self._server = self._controller.server

    @property
    def event(self) -> Any:
        """The last event."""
        return self._controller.last_event

    @property
    def process_id(self) -> int:
        """The process that AI2-THOR runs in."""
        return int(self._controller.server.unity_proc.pid)

    def reset(self, scene: str) -> Any:
        """Load a scene. Raises `SceneError` for one that the build has not."""
        with self._guarded(f"load {scene}", self._launch.start_time, scene):
            return self._controller.reset(scene)

    def step(self, request: JsonMapping) -> Any:
        """Carry out a request. Raises `ActionError` where AI2-THOR takes it for no proper call."""
        with self._guarded(str(request["action"]), self._launch.step_time):
            return self._controller.step(dict(request))

    def close(self) -> None:
        """End the process; none of it is left, nor of its files."""
        if self.closed:
            return
        self.closed = True
        self._watchdog.end()
        server = self._server or getattr(self._controller, "server", None)
        self._controller.server = _Stopped()
        process = _process(server)
        _kill(server)
        if server is not None:
            try:
                server.stop()
            except (AttributeError, OSError, ValueError):
                pass  # a pipe that was cut off cannot be flushed; the process is gone, which is what matters
        if process is not None:
            try:
                process.wait(_REAP)
            except subprocess.TimeoutExpired:
                pass  # killed, and stuck in the kernel; nothing more can be done from here
        folder = getattr(server, "tmp_dir", None)
        if folder is not None:
            folder.cleanup()

    @contextmanager
    def _guarded(self, what: str, seconds: float, scene: str = "") -> Iterator[None]:
        """The one place where the package's errors become ours."""
        if self.closed:
            raise SimulatorError(f"{what}: AI2-THOR's process was closed")
        try:
            with self._watchdog.limit(seconds):
                yield
        except ValueError as error:
            if _UNKNOWN_SCENE in str(error):
                self.close()
                raise SceneError("AI2-THOR", "its build has no such scene", value=scene) from error
            if not scene:
                raise ActionError(f"simulator action {what}", " ".join(str(error).split())) from error
            self._fail(what, seconds, error)
        except KeyboardInterrupt:
            self.close()
            raise
        except Exception as error:  # noqa: BLE001  # the package raises plain Exception, and whatever its parts raise
            self._fail(what, seconds, error)

    def _fail(self, what: str, seconds: float, error: Exception) -> None:
        overdue = self._watchdog.overdue
        process = _process(self._server or getattr(self._controller, "server", None))
        code = None if process is None else process.poll()
        self.close()
        if overdue:
            raise SimulatorError(f"{what}: AI2-THOR took longer than {seconds:g} s and was ended") from error
        ended = "" if code is None else f" (its process ended with status {code})"
        event = getattr(self._controller, "last_event", None)
        said = "" if event is None else event.metadata["errorMessage"]  # often the reason of what went wrong after it
        told = " ".join(f"{error.__cause__ or error.__context__ or error} {said}".split())[:400]
        raise SimulatorError(
            f"{what}: AI2-THOR failed{ended}: {told}; `teach-agents doctor` explains what it needs"
        ) from error


class _Stopped:
    """Stands in the place of a server that is gone: the package stops every server once more at exit."""

    unity_proc = None

    def stop(self) -> None:
        """Nothing is left to stop."""


def _controller_class() -> Any:
    try:
        from ai2thor.controller import Controller
    except ModuleNotFoundError as error:
        raise MissingExtraError("ai2thor", "thor") from error

    class StartedOnce(Controller):  # type: ignore[misc]  # the package has no types
        """The package would start a crashed Unity again in the midst of an action, in another scene state."""

        def start(self, *arguments: Any, **options: Any) -> None:
            if self.last_event is not None:
                raise RuntimeError("the process crashed")
            self.server_start_timeout = None  # as for its other limits: with one it waits out a dead process
            super().start(*arguments, **options)

    return StartedOnce


DOUBLE = "double"
"""The executable's name that stands for our own Unity double."""
_NO_DISPLAY = ":99"
_PROGRAM = "teach-agents-unity"


@dataclass(frozen=True, slots=True)
class Launch:
    """Options of the start; times in seconds.

    `executable` is a local build's command, or `double` for the embedded simulator behind the package; without it the
    package downloads its own build. `platform` is `CloudRendering` or `Linux64`, by default the package's choice; the
    GPU is the first of `CUDA_VISIBLE_DEVICES`.
    `step_time` is the longest a single action may take, `start_time` the start with the first scene.
    """

    executable: str | None = None
    platform: str | None = None
    x_display: str | None = None
    start_time: float = 300.0
    step_time: float = 100.0

    def __post_init__(self) -> None:
        for name in ("start_time", "step_time"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 < value < math.inf:
                raise InputError("thor simulator", f"{name} must be a positive number of seconds", value=value)

    def options(self) -> JsonMapping:
        """Keywords for `ai2thor.controller.Controller`.

        The package's own time-outs are off: with them it waits out a dead process (specification 6.3). A local
        executable gets some display, for the package fails without one even where nothing connects to it.
        """
        found: JsonObject = {"server_timeout": None}
        local = self.executable
        if local is not None:
            found["local_executable_path"] = command() if local == DOUBLE else local
        if self.x_display is not None or local is not None:
            found["x_display"] = self.x_display or os.environ.get("DISPLAY") or _NO_DISPLAY
        return found if self.platform is None else {**found, "platform": self.platform}

    @property
    def is_double(self) -> bool:
        """Whether this starts the double: asked for by name or by its command, or installed as the package's build.

        Without a platform the package chooses one, so that a double installed for any counts.
        """
        if self.executable is not None:
            program = Path(shlex.split(self.executable)[0]).name if self.executable.strip() else ""
            return self.executable in (DOUBLE, command()) or program == _PROGRAM
        try:
            return any(is_double(release_folder(name)) for name in PLATFORMS if self.platform in (None, name))
        except MissingExtraError:
            return False  # nothing can be started at all, and the start says so


_PERIOD = 0.1
_GRACE = 0.5


class Watchdog:
    """Watches the server of one controller, which `server` gives once there is one.

    `overdue` tells whether the last watched action was cut off for taking too long.
    """

    def __init__(self, server: Callable[[], Any]) -> None:
        self._server = server
        self._deadline: float | None = None
        self._changed = threading.Condition()
        self._ended = False
        self.overdue = False
        self._thread = threading.Thread(target=self._watch, name="thor watchdog", daemon=True)
        self._thread.start()

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Whatever blocks inside is over after so many seconds, by the death of the process."""
        self.overdue = False
        self._set(time.monotonic() + seconds)
        try:
            yield
        finally:
            self._set(None)

    def end(self) -> None:
        """Watch no longer."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join(timeout=5.0)

    def _set(self, deadline: float | None) -> None:
        with self._changed:
            self._deadline = deadline
            self._changed.notify()

    def _watch(self) -> None:
        dead_since: float | None = None
        while True:
            with self._changed:
                if self._ended:
                    return
                self._changed.wait(_PERIOD if self._deadline is not None else None)
                deadline = self._deadline
            if deadline is None:
                dead_since = None
                continue
            now = time.monotonic()
            if now > deadline:
                self.overdue = True
                _kill(self._server())
            if not _is_dead(self._server()):
                dead_since = None
            elif now - (dead_since := dead_since or now) > _GRACE:
                _answer_for_the_dead(self._server())


def _process(server: Any) -> Any:
    return getattr(server, "unity_proc", None)


def _kill(server: Any) -> None:
    process = _process(server)
    if process is not None and process.poll() is None:
        process.kill()


def _is_dead(server: Any) -> bool:
    process = _process(server)
    return process is not None and process.poll() is not None


def _answer_for_the_dead(server: Any) -> None:
    """Open and close the pipes' other ends, so that whoever waits for them goes on, to read that nobody is there."""
    for name, mode in (("server_pipe_path", os.O_WRONLY), ("client_pipe_path", os.O_RDONLY)):
        path = getattr(server, name, None)
        if path is not None:
            try:
                os.close(os.open(path, mode | os.O_NONBLOCK))
            except OSError:
                continue  # nobody waits there, or the pipe is gone already
