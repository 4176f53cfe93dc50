"""The life of a worker process: it answers payloads, one after the other or several at a time in threads."""

from __future__ import annotations

import gc
import multiprocessing
import multiprocessing.connection
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeAlias, TypeVar

ALIVE = "alive?"
"""Asked and answered in place of a job and its result: the process still does what it is told."""
_THRESHOLDS = (20_000, 5, 2)
"""After how many new containers, and rounds of the younger generation, the collector looks through each generation."""
_SWITCH_S = 0.0005
"""How long a thread computes in Python while others wait to: a forward pass waits so long after every one of its
hundreds of steps while a session computes, ten times longer by default."""
_KEPT = 8
_SEAT: ContextVar[int] = ContextVar("seat", default=0)

_Asked = ParamSpec("_Asked")
_Made = TypeVar("_Made")


def once_per_seat(function: Callable[_Asked, _Made]) -> Callable[_Asked, _Made]:
    """`function`, called once for the same arguments in each of a worker's seats, of which each remembers eight.

    A seat is where one job after the other is carried out; there are as many as jobs at a time. This is for what one
    job uses at a time and the next one may use again, such as a world. Elsewhere it is once in the process.
    """

    @cache
    def at(seat: int) -> Callable[_Asked, _Made]:
        return lru_cache(maxsize=_KEPT)(function)  # type: ignore[return-value]  # as the function is called

    @wraps(function)
    def made(*arguments: _Asked.args, **options: _Asked.kwargs) -> _Made:
        return at(_SEAT.get())(*arguments, **options)

    return made


def serve(worker: str, pipe: Connection, concurrent: int) -> None:
    """Answer `(job id, payload)` with `(job id, status, value, reason)` until the pipe closes.

    One job at a time is carried out in the main thread, several in threads of their own. Whatever a job raises is its
    result, with the whole reason; messages are sent whole.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="end with parent", daemon=True).start()
    module, _, name = worker.partition(":")
    function: Callable[[Mapping[str, Any]], Mapping[str, Any]] = getattr(import_module(module), name)
    sending = threading.Lock()

    def send(told: object) -> None:
        with sending:
            pipe.send(told)

    def answer(job_id: str, payload: Mapping[str, Any]) -> None:
        try:
            send((job_id, "done", function(payload), ""))
        except BaseException:  # noqa: BLE001  # in a thread even SystemExit would only leave the job without a result
            send((job_id, "crashed", {}, traceback.format_exc()))
        _settle_memory()

    carry_out = answer if concurrent == 1 else _crew(answer, concurrent)
    while True:
        try:
            asked = pipe.recv()
        except EOFError:
            return
        if asked == ALIVE:
            send(ALIVE)
        else:
            carry_out(*asked)


_Answer: TypeAlias = Callable[[str, Mapping[str, Any]], None]


def _crew(answer: _Answer, size: int) -> _Answer:
    """Threads that carry out jobs at the same time; the call hands one to them."""
    sys.setswitchinterval(_SWITCH_S)
    jobs: queue.SimpleQueue[tuple[str, Mapping[str, Any]]] = queue.SimpleQueue()

    def work(seat: int) -> None:
        _SEAT.set(seat)
        while True:
            answer(*jobs.get())

    for seat in range(1, size + 1):
        threading.Thread(target=work, args=(seat,), name=f"seat {seat}", daemon=True).start()
    return lambda job_id, payload: jobs.put((job_id, payload))


@cache
def _settle_memory() -> None:
    """What the first job loaded (modules, tables, kernels) stays: the collector need not look through it again.

    It looks less often, too: of what a job makes nearly all goes without it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)


def _end_with_parent() -> None:
    """A run that is killed takes its workers along, so that none of them writes into the folder of the next."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has a parent"
    multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)
