"""TEACh's remote-model routes: what the reference's client asks (specification 6.8)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from teach_agents.conventions.pictures import view_of_file
from teach_agents.errors import InputError, TeachAgentsError
from teach_agents_serve.desk import Desk, LateError
from teach_agents_serve.door import BodyRefusedError
from teach_agents_serve.limits import Limits
from teach_agents_serve.posted import Posted, read_posted
from teach_agents_serve.stored import Stored

__all__ = ["SIGN_OF_LIFE", "refusing_router", "teach_router"]

_LOG = logging.getLogger(__name__)
SIGN_OF_LIFE = {"action": "Look Up", "obj_relative_coord": [0.1, 0.2]}
"""What the reference's server answers to a test of the connection."""

Work = Callable[[Posted], Any]


def teach_router(desk: Desk, limits: Limits, stored: Stored) -> APIRouter:
    """The routes of one Follower. Whatever goes wrong is answered with a line of plain text and 500, or 504 where an
    agent took too long.

    What a request names and does not bring is looked for in `stored`.
    """
    router = APIRouter(tags=["TEACh's remote model"])
    pixels = limits.picture_pixels

    def start(posted: Posted) -> Response:
        instance = posted.mapping("edh_instance")
        if instance is None:
            instance = stored.instance(posted.text("edh_name"))
        if instance is None:
            raise InputError("edh_instance", "is missing")
        views = [view_of_file(one, pixels) for one in posted.pictures("edh_history_images")]
        desk.begin(_name(posted, instance), instance, views)
        return PlainTextResponse("success")

    def act(posted: Posted) -> Response:
        picture = next(iter(posted.pictures("img")), None) or stored.image(posted.text("img_name"))
        if picture is None:
            raise InputError("img", "is missing: a file part, or base64 text in JSON")
        instance = posted.mapping("edh_instance")
        view = view_of_file(picture, pixels)
        name, click = desk.answer(_name(posted, instance), view, instance, posted.mapping("prev_action"))
        return JSONResponse({"action": name, "obj_relative_coord": click})

    _give_signs_of_life(router)

    @router.post("/start_new_edh_instance", response_class=PlainTextResponse)
    async def start_new_edh_instance(request: Request) -> Response:
        """Begin an instance: `edh_name`, `edh_instance` (JSON text), `edh_history_images` (files, in order)."""
        return await _answered(start, read_posted(request, limits))

    @router.post("/get_next_action")
    async def get_next_action(request: Request) -> Response:
        """The next action: `edh_name`, `edh_instance`, `img` (file), `img_name`, and `prev_action` after the first."""
        return await _answered(act, read_posted(request, limits))

    return router


def refusing_router(problem: str) -> APIRouter:
    """The same routes of a server whose Follower needs more than they carry: they say so."""
    router = APIRouter(tags=["TEACh's remote model"])
    _give_signs_of_life(router)

    @router.post("/start_new_edh_instance", response_class=PlainTextResponse)
    @router.post("/get_next_action", response_class=PlainTextResponse)
    async def refuse() -> Response:
        """Say why there is nobody to answer."""
        return PlainTextResponse(problem, status_code=500)

    return router


def _give_signs_of_life(router: APIRouter) -> None:
    @router.get("/")
    @router.get("/ping")
    @router.get("/test")
    async def sign_of_life() -> dict[str, Any]:
        """Say that the server is there, as the reference's does."""
        return SIGN_OF_LIFE


def _name(posted: Posted, instance: dict[str, Any] | None) -> str:
    """What an instance goes by: `edh_name`, or else its own id."""
    known = instance or {}
    return posted.text("edh_name") or str(known.get("instance_id") or known.get("game_id") or "")


async def _answered(work: Work, reading: Awaitable[Posted]) -> Response:
    """The answer, or one line that says what is wrong and nothing of where in our code."""
    try:
        response: Response = await run_in_threadpool(work, await reading)
        return response
    except BodyRefusedError:
        raise
    except LateError as error:
        return PlainTextResponse(str(error), status_code=504)
    except HTTPException as error:
        problem = f"the body cannot be read: {error.detail}"
    except TeachAgentsError as error:
        problem = str(error)
    except Exception as error:  # noqa: BLE001  # an agent may raise anything
        _LOG.warning("the agent failed", exc_info=error)
        problem = f"the agent raised {type(error).__name__}"
    return PlainTextResponse(problem, status_code=500)
