"""TEACh's remote-model routes: what the reference's client asks (specification 6.8), and a Follower for each instance.

The reference's server answers 500 to all that it cannot do. Its client knows 200 and everything else, so that these
routes say with a 4xx whose fault it is.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from teach_agents.conventions.pictures import view_of_file
from teach_agents.conventions.wire_follower import Answer, WireFollower, check_servable
from teach_agents.core.agents.runner import LateError, RaisedError
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.session.context import Timeouts
from teach_agents.errors import ActionError, InputError, SpecError, TeachAgentsError
from teach_agents.observations import View
from teach_agents_serve.agent_sessions import told_of
from teach_agents_serve.limits import Limits
from teach_agents_serve.posted import JSON, Answers, Posted, Stored, read_posted

SIGN_OF_LIFE = {"action": "Look Up", "obj_relative_coord": [0.1, 0.2]}
"""What the reference's server answers to a test of the connection."""
Work = Callable[[Posted], Response]
_SHOWN = 1000
_REFUSALS = {
    400: "A form that cannot be read.",
    401: "No bearer token.",
    403: "A page of another origin.",
    404: "An instance that was not begun; no Follower for these routes.",
    408: "A body that does not come.",
    413: "A body that is too large.",
    422: "A field that is missing, or is not what it should be.",
    424: "The agent raised, or took too long.",
    429: "Too many requests.",
}
_RESPONSES: Answers = {
    status: {"description": words, "content": {"text/plain": {"schema": {"type": "string"}}}}
    for status, words in _REFUSALS.items()
}
_TEXT = {"type": "string"}
_PICTURE = {"type": "string", "contentMediaType": "image/jpeg"}
_PICTURES = {"type": "array", "items": _PICTURE}
_INSTANCE = {"type": "object"}
_ANSWER = {"type": "object", "properties": {"action": _TEXT, "obj_relative_coord": {"type": ["array", "null"]}}}
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded", JSON)


class AgentFailedError(TeachAgentsError):
    """An agent raised; the words are for clients."""

    status = 424


class NotBegunError(InputError):
    """An instance at which no agent is, or is no longer."""

    status = 404


class Desk:
    """Makes a Follower for every instance that is begun and keeps the latest `limits.instances` of them.

    As with the reference's server, an instance that is begun again starts anew. An agent that takes longer than
    `limits` allow loses its instance. Methods may be called from any thread. Raises `SpecError` for a Follower that
    needs what the protocol does not carry.
    """

    def __init__(self, spec: str, limits: Limits, *, seed: int = 0, allow_import: bool = False) -> None:
        check_servable(spec, allow_import=allow_import)
        self.spec = spec
        self._seed = seed
        self._allow_import = allow_import
        self._limits = limits
        self._followers: OrderedDict[str, WireFollower] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, name: str, instance: JsonMapping, views: Sequence[View]) -> None:
        """Seat a fresh agent at an instance.

        Raises `AgentFailedError` for an agent that raises or does not get ready, and `GameFileError` for an instance of
        another form.
        """
        timeouts = Timeouts(self._limits.ready_s, self._limits.answer_s)
        with _told():
            follower = WireFollower(
                self.spec,
                instance,
                views,
                name=name,
                seed=self._seed,
                allow_import=self._allow_import,
                timeouts=timeouts,
            )
        with self._lock:
            leaving = [self._followers.pop(name)] if name in self._followers else []
            while len(self._followers) >= self._limits.instances:
                leaving.append(self._followers.popitem(last=False)[1])
            self._followers[name] = follower
        for one in leaving:
            one.close()

    def answer(self, name: str, view: View, instance: JsonMapping | None, previous: JsonMapping | None) -> Answer:
        """What the agent at an instance does next.

        An instance without a name is the one that was begun last. Raises `NotBegunError` for one that was not begun, or
        was too long ago; `InputError` for a picture or an instance that cannot be read; `AgentFailedError` for an agent
        that raises, or takes too long: then its instance has to be begun again.
        """
        with self._lock:
            key = name or next(reversed(self._followers), "")
            follower = self._followers.get(key)
            if follower:
                self._followers.move_to_end(key)
        if follower is None:
            kept = self._limits.instances
            problem = f"was not begun, or is none of the last {kept} in use: POST /start_new_edh_instance first"
            raise NotBegunError("edh_name", problem, value=name)
        with _told():
            try:
                return follower.answer(view, instance, previous)
            except LateError:
                self._free(key, follower)
                raise

    def _free(self, key: str, follower: WireFollower) -> None:
        with self._lock:
            if self._followers.get(key) is follower:
                del self._followers[key]
        follower.close()


@contextmanager
def _told() -> Iterator[None]:
    """What an agent raises, and that it takes too long, as `AgentFailedError`; but the `InputError` of what it was
    given, as an instance is read, and a picture unpacked, when the agent looks."""
    try:
        yield
    except LateError as late:
        raise AgentFailedError(f"the agent {late}; begin the instance again") from late
    except RaisedError as raised:
        raise AgentFailedError(f"the agent {told_of(raised.error)}") from raised.error
    except Exception as error:
        if isinstance(error, InputError) and not isinstance(error, ActionError | SpecError):
            raise
        raise AgentFailedError(f"the agent {told_of(error)}") from error


def _body(**fields: JsonObject) -> JsonObject:
    """What OpenAPI says of a request: each field may be absent, and objects are JSON text in forms."""
    schema = {"type": "object", "properties": fields}
    return {"requestBody": {"content": {form: {"schema": schema} for form in _FORMS}}}


def teach_router(desk: Desk, limits: Limits, stored: Stored) -> APIRouter:
    """The routes of one Follower. Whatever goes wrong is answered with a 4xx and a line of plain text: 424 where it was
    the agent that failed or took too long.

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

    @router.post(
        "/start_new_edh_instance",
        response_class=PlainTextResponse,
        responses=_RESPONSES,
        openapi_extra=_body(edh_name=_TEXT, edh_instance=_INSTANCE, edh_history_images=_PICTURES),
    )
    async def start_new_edh_instance(request: Request) -> Response:
        """Begin an instance: `edh_name`, `edh_instance` (JSON text), `edh_history_images` (files, in order)."""
        return await _answered(start, read_posted(request, limits))

    @router.post(
        "/get_next_action",
        responses=_RESPONSES,
        openapi_extra=_body(edh_name=_TEXT, edh_instance=_INSTANCE, img=_PICTURE, img_name=_TEXT, prev_action=_ANSWER),
    )
    async def get_next_action(request: Request) -> Response:
        """The next action: `edh_name`, `edh_instance`, `img` (file), `img_name`, and `prev_action` after the first."""
        return await _answered(act, read_posted(request, limits))

    return router


def refusing_router(problem: str) -> APIRouter:
    """The same routes of a server whose Follower needs more than they carry: they say so."""
    router = APIRouter(tags=["TEACh's remote model"])
    _give_signs_of_life(router)

    @router.post("/start_new_edh_instance", response_class=PlainTextResponse, responses=_RESPONSES)
    @router.post("/get_next_action", response_class=PlainTextResponse, responses=_RESPONSES)
    async def refuse() -> Response:
        """Say why there is nobody to answer."""
        return PlainTextResponse(problem, 404)

    return router


def _give_signs_of_life(router: APIRouter) -> None:
    @router.get("/")
    @router.get("/ping")
    @router.get("/test")
    async def sign_of_life() -> JsonObject:
        """Say that the server is there, as the reference's does."""
        return SIGN_OF_LIFE


def _name(posted: Posted, instance: JsonObject | None) -> str:
    """What an instance goes by: `edh_name`, or else its own id."""
    known = instance or {}
    return posted.text("edh_name") or str(known.get("instance_id") or known.get("game_id") or "")


async def _answered(work: Work, reading: Awaitable[Posted]) -> Response:
    """The answer, or one line that says what is wrong and nothing of where in our code."""
    try:
        return await run_in_threadpool(work, await reading)
    except HTTPException as error:
        status, problem = 400, f"the body cannot be read: {error.detail}"
    except (InputError, AgentFailedError) as error:
        status, problem = getattr(error, "status", 422), str(error)
    return PlainTextResponse(" ".join(problem.split())[:_SHOWN], status)
