"""The Follower's household as tools of the Model Context Protocol (extra `mcp`; see docs/mcp.md)."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal

import uvicorn
from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from teach_agents.actions import Role
from teach_agents.agents.acting.body import Body, Steps
from teach_agents.agents.acting.skills import hands, heat, water
from teach_agents.agents.acting.skills.approach import go_up_to
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.chat.doing import move, pour_into
from teach_agents.chat.keeping import RecordFile
from teach_agents.core.agents.contract import Agent
from teach_agents.live import LiveError, LiveSession, LiveSetting, hook_of
from teach_agents_serve.mcp_household import RefusedError, ToolHousehold

_INSTRUCTIONS = """You are a robot in a household: the Follower of TEACh. You see through your own eyes, carry one thing
at a time, and can only touch what is within reach; the tools walk and look for you where they need to. Begin with
look_around. Things have names such as "mug 1"; "the dirty mug" or "mug" stand for the handiest that fits. If there is a
Commander, it knows the task and tells you step by step: ask with say, hear with listen; what it says comes with every
answer. A tool that fails says why and what may help."""

_Skill = Callable[[Body, Thing], Steps]
_Content = list[Any]
_Called = Annotated[str, Field(description='A name ("mug 1") or a noun phrase ("the clean mug in the sink").')]
_Picture = Annotated[bool, Field(description="Whether to send a picture of what you see afterwards.")]
_Motion = Literal[
    "Forward", "Backward", "Turn Left", "Turn Right", "Look Up", "Look Down", "Pan Left", "Pan Right"
]  # fmt: skip

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ACTS = ToolAnnotations(read_only_hint=False, open_world_hint=False)


_SKILLS: Mapping[str, tuple[_Skill, str]] = {
    "go_to": (go_up_to, "Walk to where a thing is within reach."),
    "pick_up": (hands.pick_up, "Pick a thing up; what you hold is put aside first, and what is shut around it opened."),
    "open": (hands.open_up, "Open a fridge, cabinet, drawer, microwave, box, book ..."),
    "close": (hands.close, "Close what is open."),
    "turn_on": (
        partial(hands.switch, on=True),
        "Turn on a faucet, stove knob, coffee machine, toaster, microwave, lamp, television ...",
    ),
    "turn_off": (partial(hands.switch, on=False), "Turn off what is on."),
    "slice": (hands.slice_up, "Slice food, or crack an egg; a knife is fetched first."),
    "pour": (pour_into, "Pour what the vessel in your hand holds into or onto a thing; into a sink it is poured out."),
    "clean": (water.clean, "Wash a thing under the faucet; it stays in the sink."),
    "fill": (water.fill, "Fill a vessel with water; it stays in the sink."),
    "empty": (water.empty, "Pour out what a vessel holds."),
    "water_plant": (water.water, "Water a plant out of some vessel."),
    "make_coffee": (heat.brew, "Fill a mug with coffee; it stays in the coffee machine."),
    "cook": (lambda body, thing: heat.cook(body, [thing]), "Cook food in the microwave or on the stove."),
    "boil": (heat.boil, "Boil food in water."),
    "toast": (heat.toast, "Toast a slice of bread; it stays in the toaster."),
}
"""Tools about one thing: what is done with it, and what the tool says of itself."""


def create_mcp_server(household: ToolHousehold, *, picture_size: int = 600) -> MCPServer:
    """A server of one household: whoever connects acts in the same. `picture_size` is in pixels a side."""
    server: MCPServer = MCPServer(
        "teach-agents",
        title="A Follower's household",
        instructions=_INSTRUCTIONS,
        version=version("teach-agents"),
        log_level="WARNING",
    )
    answering = _Answering(household, picture_size)
    for name, (skill, words) in _SKILLS.items():
        server.add_tool(answering.about_one(skill), name, description=words, annotations=_ACTS, structured_output=False)
    for tool, hints in answering.tools():
        server.add_tool(tool, annotations=hints, structured_output=False)
    return server


@dataclass(eq=False)
class _Answering:
    """The tools as functions: words, with a picture where one is asked for; what is refused is a tool's error."""

    _household: ToolHousehold
    _size: int

    def tools(self) -> list[tuple[Callable[..., Any], ToolAnnotations]]:
        """Those that are not about one thing."""
        reading: list[Callable[..., Any]] = [self.look, self.recall, self.look_at_map, self.listen]
        acting: list[Callable[..., Any]] = [self.look_around, self.look_for, self.put, self.move, self.do, self.say]
        return [(tool, _READS) for tool in reading] + [(tool, _ACTS) for tool in acting]

    def about_one(self, skill: _Skill) -> Callable[..., Awaitable[_Content]]:
        """A tool that uses a skill on one thing."""

        async def tool(thing: _Called, picture: _Picture = False) -> _Content:
            return await self._answer(self._household.to(thing, skill), picture)

        return tool

    async def look(self, picture: _Picture = True) -> _Content:
        """See what is in view: names, states, distances, what is in your hand; and the picture itself."""
        return await self._answer(self._household.look(), picture)

    async def recall(self) -> _Content:
        """Everything that you saw so far, and where it was."""
        return await self._answer(self._household.recall())

    async def look_at_map(self) -> _Content:
        """The room from above, with you in it."""
        return await self._answer(self._household.place(), picture="map")

    async def look_around(self, picture: _Picture = False) -> _Content:
        """Turn around and look about the room, to know what there is. Takes some steps."""
        return await self._answer(self._household.survey(), picture)

    async def look_for(
        self, kind: Annotated[str, Field(description='A kind of thing: "mug".')], picture: _Picture = False
    ) -> _Content:
        """Look for one more thing of a kind than you know of, in cabinets, drawers and the fridge too."""
        return await self._answer(self._household.search(kind), picture)

    async def put(
        self,
        place: Annotated[str, Field(description='In or on what: "fridge 1", "the sink".')],
        thing: Annotated[str, Field(description="What to put there; what you hold where this is empty.")] = "",
        picture: _Picture = False,
    ) -> _Content:
        """Put a thing, or what you hold, in or on something."""
        return await self._answer(self._household.put(thing, place), picture)

    async def move(
        self, motion: _Motion, times: Annotated[int, Field(ge=1, le=40)] = 1, picture: _Picture = False
    ) -> _Content:
        """Move a step of 25 cm, turn by 90 degrees, or look up or down by 30 degrees; a few times if you like."""
        return await self._answer(self._household.do(lambda body: move(body, motion, times)), picture)

    async def do(
        self,
        instruction: Annotated[str, Field(description='English: "Put all the forks in the sink."')],
        picture: _Picture = False,
    ) -> _Content:
        """Carry out a household step in plain English, such as a Commander would say."""
        return await self._answer(self._household.instruct(instruction), picture)

    async def say(self, text: Annotated[str, Field(min_length=1, max_length=1000)]) -> _Content:
        """Speak to the Commander."""
        return await self._answer(self._household.say(text))

    async def listen(self, seconds: Annotated[float, Field(ge=0, le=60)] = 10.0) -> _Content:
        """Hear what the Commander says; waits for it for some seconds."""
        return await self._answer(self._household.listen(seconds))

    async def _answer(self, words: Awaitable[str], picture: bool | str = False) -> _Content:
        """The words, and a picture by its name, or of the view, where one is asked for."""
        try:
            said = await words
            if not picture:
                return [said]
            drawn = await self._household.picture("view" if picture is True else str(picture), self._size)
        except (RefusedError, LiveError) as error:
            raise ToolError(str(error)) from error
        return [said, Image(data=drawn, format="jpeg")]


async def serve_mcp(
    setting: LiveSetting,
    make: Callable[[Role, str], Agent] | None,
    perception: Perception | None,
    *,
    listening: socket.socket | None = None,
    record: Path | None = None,
) -> None:
    """Serve a household until the client is gone: standard input and output, or a socket that listens, over HTTP.

    `make` builds the Commander, where an agent has its chair. With `record` the session is kept in that new file.
    Raises `RecordError` for one that is there already, and what `LiveSession.start` raises.
    """
    file = RecordFile(record) if record else None
    live = LiveSession(setting, file, make, build_hook=partial(hook_of, allow_import=True))
    if file:
        file.begin(live)
    try:
        await live.start()
        server = create_mcp_server(ToolHousehold(live, perception))
        if listening is None:
            await server.run_stdio_async()
            return
        host, port = listening.getsockname()
        app = server.streamable_http_app(host=host)
        print(f"http://{host}:{port}/mcp", file=sys.stderr, flush=True)  # noqa: T201  # the command's one line
        await uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve(sockets=[listening])
    finally:
        await asyncio.shield(live.close())
        if file:
            file.close()
