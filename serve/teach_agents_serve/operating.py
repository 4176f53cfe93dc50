"""Routes for whoever runs a server: is it there, can it take more, what is it, what did it do."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from teach_agents.conventions.agent_wire import Description
from teach_agents_serve.metrics import MEDIA_TYPE, Metrics


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
