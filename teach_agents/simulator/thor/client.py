"""The `ai2thor` package's controller, with limits of time and one place where its errors become ours."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import ActionError, MissingExtraError, SceneError, SimulatorError
from teach_agents.simulator.thor.launch import Launch
from teach_agents.simulator.thor.watchdog import Watchdog

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
        process = getattr(server, "unity_proc", None)
        if process is not None and process.poll() is None:
            process.kill()
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
        process = getattr(self._server or getattr(self._controller, "server", None), "unity_proc", None)
        code = None if process is None else process.poll()
        self.close()
        if overdue:
            raise SimulatorError(f"{what}: AI2-THOR took longer than {seconds:g} s and was ended") from error
        ended = "" if code is None else f" (its process ended with status {code})"
        told = " ".join(f"{error.__cause__ or error.__context__ or error} {self._last_words()}".split())[:400]
        raise SimulatorError(
            f"{what}: AI2-THOR failed{ended}: {told}; `teach-agents doctor` explains what it needs"
        ) from error

    def _last_words(self) -> str:
        """The message of the last action, if it failed: often the reason of what went wrong after it."""
        event = getattr(self._controller, "last_event", None)
        return "" if event is None else str(event.metadata["errorMessage"])


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
