"""What a server counts, in Prometheus' text format, and routes for whoever runs it."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import accumulate

from fastapi import APIRouter
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from teach_agents.conventions.agent_wire import Description

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_Labels = tuple[tuple[str, str], ...]

_HELP: Mapping[str, tuple[str, str]] = {
    "teach_agents_requests_total": ("counter", "Requests answered, by route and status."),
    "teach_agents_sessions_opened_total": ("counter", "Sessions opened, by role."),
    "teach_agents_sessions_ended_total": ("counter", "Sessions ended, by reason."),
    "teach_agents_acts_total": ("counter", "Answers of agents, by role and outcome."),
    "teach_agents_repeats_total": ("counter", "Requests that were answered from memory."),
    "teach_agents_act_seconds": ("histogram", "Seconds an agent took for an answer, decoding included."),
    "teach_agents_sessions_open": ("gauge", "Sessions that are open."),
    "teach_agents_live_sessions_made_total": ("counter", "Live sessions made."),
    "teach_agents_live_sessions_ended_total": ("counter", "Live sessions that are over, by reason."),
    "teach_agents_live_sessions_slept_total": ("counter", "Live sessions put to sleep, by reason."),
    "teach_agents_live_sessions": ("gauge", "Live sessions in memory."),
    "teach_agents_live_connections": ("gauge", "Streams and sockets of live sessions."),
}


class Metrics:
    """Counters, one histogram, and gauges that are asked when somebody looks. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, _Labels]] = Counter()
        self._gauges: dict[str, Callable[[], float]] = {}
        self._buckets = [0] * (len(_BUCKETS_S) + 1)
        self._seconds = 0.0

    def count(self, name: str, **labels: str) -> None:
        """One more; `name` is without the prefix and `_total`."""
        with self._lock:
            self._counts[f"teach_agents_{name}_total", tuple(labels.items())] += 1

    def took(self, seconds: float) -> None:
        """An agent answered."""
        with self._lock:
            self._buckets[bisect_left(_BUCKETS_S, seconds)] += 1
            self._seconds += seconds

    def gauge(self, name: str, ask: Callable[[], float]) -> None:
        """Tell `name` by asking."""
        self._gauges[f"teach_agents_{name}"] = ask

    def text(self) -> str:
        """All of it."""
        with self._lock:
            counts, buckets, seconds = dict(self._counts), list(self._buckets), self._seconds
        lines: list[str] = []
        for name, (kind, words) in _HELP.items():
            lines += [f"# HELP {name} {words}", f"# TYPE {name} {kind}"]
            if kind == "histogram":
                lines += _histogram(name, buckets, seconds)
            elif kind == "gauge":
                lines += [f"{name} {self._gauges[name]():g}"] if name in self._gauges else []
            else:
                lines += [f"{name}{_written(labels)} {n}" for (known, labels), n in counts.items() if known == name]
        return "\n".join(lines) + "\n"


def _histogram(name: str, buckets: list[int], seconds: float) -> list[str]:
    edges = zip((*map(str, _BUCKETS_S), "+Inf"), accumulate(buckets), strict=True)
    lines = [f'{name}_bucket{{le="{edge}"}} {total}' for edge, total in edges]
    return [*lines, f"{name}_sum {seconds:g}", f"{name}_count {sum(buckets)}"]


def _written(labels: _Labels) -> str:
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels) + "}" if labels else ""


def operating_router(description: Description, metrics: Metrics, full: Callable[[], bool]) -> APIRouter:
    """`/health` and `/ready` want no token and tell nothing; `/version` and `/metrics` are behind the door."""
    router = APIRouter(tags=["operating"])

    @router.get("/health")
    async def health() -> dict[str, str]:
        """The server answers."""
        return {"status": "ok"}

    @router.get("/ready", responses={503: {"description": "As many sessions are open as there may be."}})
    async def ready() -> Response:
        """Another session can be opened."""
        return JSONResponse({"status": "full"}, 503) if full() else JSONResponse({"status": "ready"})

    @router.get("/version")
    async def version() -> dict[str, str]:
        """The package's version."""
        return {"version": description.version}

    @router.get("/metrics", response_class=PlainTextResponse)
    async def counted() -> Response:
        """What was counted, for Prometheus."""
        return Response(metrics.text(), media_type=MEDIA_TYPE)

    return router
