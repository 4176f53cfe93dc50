"""The household as tools of the Model Context Protocol, asked for by the package's own client."""

from __future__ import annotations

import asyncio
import base64
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from teach_agents.actions import Role
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.live import HUMAN, LiveSession, LiveSetting, make_scenario
from teach_agents.session import read_record
from tests.serve.serving import request

mcp = pytest.importorskip("mcp")

SCENARIO = make_scenario("Coffee", room="FloorPlan5")


class Tools:
    """A client that remembers nothing and checks every answer."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.told = ""

    async def call(self, name: str, **arguments: Any) -> str:
        """A tool's words; it must not fail."""
        result = await self.client.call_tool(name, arguments)
        assert not result.is_error, result.content[0].text
        self.told += f"{result.content[0].text}\n"
        return str(result.content[0].text)

    async def refused(self, name: str, **arguments: Any) -> str:
        """What a tool says that fails."""
        result = await self.client.call_tool(name, arguments)
        assert result.is_error, result.content[0].text
        return str(result.content[0].text)


@asynccontextmanager
async def household(commander: str = HUMAN, *, sees: bool = True) -> AsyncIterator[tuple[Tools, LiveSession]]:
    """A household behind tools, in memory."""
    from teach_agents_serve.mcp_household import ToolHousehold
    from teach_agents_serve.mcp_server import create_mcp_server

    live = LiveSession(LiveSetting("mcp", SCENARIO, {Role.COMMANDER: commander, Role.FOLLOWER: HUMAN}))
    await live.start()
    try:
        tools = ToolHousehold(live, OraclePerception() if sees else None)
        async with mcp.Client(create_mcp_server(tools, picture_size=200)) as client:
            yield Tools(client), live
    finally:
        await live.close()


def test_a_scripted_client_makes_coffee_told_by_the_commander() -> None:
    async def play() -> None:
        async with household("planner") as (tools, live):
            assert "on counter top 1: " in await tools.call("look_around")
            await tools.call("say", text="What should I do today?")
            found = await tools.call("look_for", kind="mug")
            assert "Found: mug 1 (dirty, in sink basin 1" in found
            while "The Commander says:" not in tools.told:
                await tools.call("listen", seconds=20)
            await tools.call("clean", thing="mug 1")
            await tools.call("pick_up", thing="the mug")
            assert "poured the mug out into the sink" in (await tools.call("pour", thing="sink")).lower()
            # A Commander that looks meanwhile may finish the session already: then the rest is refused.
            made = (await tools.client.call_tool("make_coffee", {"thing": "mug"})).content[0].text
            assert "Turned on the coffee machine" in made
            assert "full of coffee" in made or "the task is complete" in made
            await tools.client.call_tool("say", {"text": "Done. What should I do next?"})
            while live.status == "running":
                await tools.call("listen", seconds=20)
            assert live.events[-1].data["success"] is True
            assert "the session has ended" in await tools.refused("look")

    asyncio.run(asyncio.wait_for(play(), 120))


def test_what_the_end_of_the_session_cuts_short_is_told_as_far_as_it_got() -> None:
    async def play() -> None:
        async with household() as (tools, live):
            looking = asyncio.ensure_future(tools.client.call_tool("look_around", {}))
            while not any(event.kind.value == "action" for event in live.events):
                await asyncio.sleep(0.005)
            await live.end("enough")
            told = await looking
            done, _, rest = told.content[0].text.partition("The session has ended.")
            assert told.is_error and "Turned" in done and "(the session has ended" in rest

    asyncio.run(asyncio.wait_for(play(), 60))


def test_tools_look_touch_and_refuse_with_a_hint() -> None:
    async def play() -> None:
        async with household() as (tools, live):
            seen = await tools.client.call_tool("look", {})
            words, picture = seen.content
            assert "- fridge 1 (closed, " in words.text and "Your hand is empty" in words.text
            assert Image.open(BytesIO(base64.b64decode(picture.data))).size == (200, 200)
            assert (await tools.client.call_tool("look_at_map", {})).content[1].type == "image"
            assert "fridge 1 (open" in await tools.call("open", thing="Fridge")
            assert "is so already" in await tools.call("open", thing="fridge 1")
            assert "fridge 1 (closed" in await tools.call("close", thing="the fridge")
            assert "bread" in await tools.call("recall")
            await tools.call("pick_up", thing="bread")
            assert "Put the bread in the fridge" in await tools.call("put", place="fridge")
            assert "Your hand is empty" in await tools.refused("put", place="fridge")
            assert "Walked" in await tools.call("go_to", thing="sink basin 1")
            assert "Hold something that is filled" in await tools.refused("pour", thing="sink")
            assert "nothing known is called so" in await tools.refused("pick_up", thing="elephant")
            assert "is no kind of thing" in await tools.refused("look_for", kind="elephant")
            assert "validation error" in await tools.refused("move", motion="Fly")
            assert "Turned around" in await tools.call("move", motion="Turn Left", times=2)
            blocked = await tools.refused("move", motion="Forward", times=40)
            assert "Something is in the way" in blocked
            assert "Turned on the faucet" in await tools.call("do", instruction="Turn on the faucet.")
            assert "Not understood" in await tools.refused("do", instruction="Sing a song.")
            assert live.status == "running"

    asyncio.run(asyncio.wait_for(play(), 120))


def test_who_knows_all_of_the_room_need_not_look_for_it() -> None:
    async def play() -> None:
        async with household(sees=False) as (tools, _):
            assert "Known: mug 1 (dirty, in sink basin 1" in await tools.call("look_for", kind="mug")
            assert "Picked up the mug" in await tools.call("pick_up", thing="mug")

    asyncio.run(asyncio.wait_for(play(), 60))


def test_over_http_all_clients_act_in_one_household_and_no_page_of_the_web_does() -> None:
    from teach_agents_serve.mcp_server import serve_mcp

    setting = LiveSetting("mcp", SCENARIO, {Role.COMMANDER: HUMAN, Role.FOLLOWER: HUMAN})

    async def play() -> None:
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            serving = asyncio.create_task(serve_mcp(setting, None, None, listening=listening))
            try:
                async with mcp.Client(f"{url}/mcp") as client:
                    await Tools(client).call("look_for", kind="mug")
                    assert "Picked up" in await Tools(client).call("pick_up", thing="mug")
                async with mcp.Client(f"{url}/mcp") as client:
                    assert "in your hand" in (await Tools(client).call("look", picture=False)).lower()
                told = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
                for strange in ({"Host": "elsewhere.example"}, {"Origin": "http://elsewhere.example"}):
                    answer = await asyncio.to_thread(request, url, "POST", "/mcp", b"{}", {**told, **strange})
                    assert answer.status in (403, 421)
            finally:
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(asyncio.wait_for(play(), 120))


def test_over_pipes_a_client_makes_coffee_and_the_session_is_kept(tmp_path: Path) -> None:
    record = tmp_path / "coffee.jsonl"
    arguments = ["mcp", "--task", "Coffee", "--room", "FloorPlan5", "--record", str(record)]
    run = "import sys; from teach_agents.cli.main import main; sys.argv[0] = 'teach-agents'; main()"
    server = mcp.StdioServerParameters(command=sys.executable, args=["-c", run, *arguments])

    async def play() -> None:
        async with mcp.Client(mcp.stdio_client(server)) as client:
            tools = Tools(client)
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert {"look", "go_to", "look_for", "pick_up", "put", "open", "close", "turn_on", "slice", "say"} <= names
            await tools.call("look_for", kind="mug")
            await tools.call("do", instruction="Wash the mug. Make coffee in the mug.")
            assert "full of coffee" in await tools.call("recall")

    asyncio.run(asyncio.wait_for(play(), 120))
    kept = read_record(record)
    goals = [turn.goals for turn in kept.turns if turn.goals is not None]
    assert goals[-1].success
    assert "segmentation" in kept.header.privileges[Role.FOLLOWER], "what skills read is stated"
