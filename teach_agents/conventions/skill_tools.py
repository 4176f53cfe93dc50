"""A Follower's skills as tools of LangChain's and LangGraph's agents (extra `langchain`).

```python
class Follower(Agent):
    seats, privileges = ("follower",), skill_privileges()

    async def run(self, body):
        graph = create_agent(chat_model, tools=skills_as_tools(body))
        while True:
            said = " ".join(one.text for one in await body.heard())
            answer = await graph.ainvoke({"messages": [("user", said)]})
            await body.say(answer["messages"][-1].text)
```
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from teach_agents.agents.acting import body as acting
from teach_agents.agents.dialogue.answers import Answers
from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.order_execution import OrderExecutor, Outcome
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.core.agents.contract import Body
from teach_agents.core.dialogue import Act, DialogueAct, Slot
from teach_agents.errors import MissingExtraError
from teach_agents.observations import Privilege
from teach_agents.understanding.noun_phrases import noun_phrase

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


class _Tool(NamedTuple):
    """A verb of the notation, the role of the place that it takes ("" for none), whether it takes a thing, and how a
    model is told of it."""

    verb: str
    about: str
    thing: bool = True
    role: str = ""


_TOOLS: Mapping[str, _Tool] = {
    "look_around": _Tool("look_around", "Look the room over, to learn what is where.", thing=False),
    "find": _Tool("find", "Look for a thing, opening what may hold it; says where it is."),
    "go_to": _Tool("go_to", "Walk up to a thing."),
    "pick_up": _Tool("pick_up", "Take a thing into the hand. One thing fits; another is put aside first."),
    "put": _Tool("put", "Put a thing in or on a place; it is fetched first.", role="in"),
    "throw_away": _Tool("throw_away", "Put a thing in the bin."),
    "open": _Tool("open", "Open something."),
    "close": _Tool("close", "Close something."),
    "turn_on": _Tool("turn_on", "Switch something on: a lamp, the tap, the stove."),
    "turn_off": _Tool("turn_off", "Switch something off."),
    "wash": _Tool("wash", "Wash a dirty thing in the sink."),
    "slice": _Tool("slice", "Cut food into slices; a knife is fetched first."),
    "cook": _Tool("cook", "Cook food in a pan or the microwave."),
    "boil": _Tool("boil", "Boil a potato in water."),
    "toast": _Tool("toast", "Toast bread."),
    "make": _Tool("make", "Make coffee or toast."),
    "fill": _Tool("fill", "Fill a vessel with water."),
    "empty": _Tool("empty", "Pour out what a vessel holds."),
    "water": _Tool("water", "Water a plant."),
    "clear": _Tool("clear", "Take everything off a table, or out of a thing."),
}


def skill_privileges(perception: str = "oracle") -> frozenset[Privilege]:
    """What an agent has to declare whose skills see by a tier of perception."""
    return frozenset(perception_of(perception).privileges)


def skills_as_tools(body: Body, perception: str = "oracle") -> list[BaseTool]:
    """Skills of the Follower that `body` moves, each a tool: `wash`, `put`, `find`, `look_around`, and so on.

    Things and places are named in plain English ("the dirty mug on the table"). A tool does all the actions that its
    skill takes, and answers in one or two honest sentences. They are to be called within the agent's `run`, as
    coroutines, one at a time. Raises `MissingExtraError` without LangChain, `SpecError` for an unknown perception.
    """
    try:
        from langchain_core.tools import StructuredTool as structured
    except ModuleNotFoundError as missing:
        raise MissingExtraError("langchain_core", "langchain") from missing
    skills = _Skills(body, perception_of(perception))
    made: list[BaseTool] = [
        structured.from_function(coroutine=skills.doing(tool), name=name, description=tool.about)
        for name, tool in _TOOLS.items()
    ]
    looking = "What is in view, what is held, and where: a sentence or two. Costs no action."
    return [*made, structured.from_function(coroutine=skills.see, name="what_is_in_view", description=looking)]


class _Skills:
    """One body's skills, with what it remembers between calls."""

    def __init__(self, body: Body, eyes: Perception) -> None:
        self._body = body
        self._eyes = eyes
        self._acting = acting.Body()
        self._one_by_one = asyncio.Lock()
        rng = random.Random(body.briefing.seed)
        state = DialogueState()
        resolver = Resolver(self._acting, state)
        self._answers = Answers(self._acting, state, resolver, rng)
        self._orders = OrderExecutor(self._acting, state, resolver, rng)
        eyes.begin(body.briefing.seed)

    def doing(self, tool: _Tool) -> Callable[..., Coroutine[Any, Any, str]]:
        """A coroutine function with the parameters of a tool, by which LangChain describes it."""

        async def alone() -> str:
            return await self._do(tool)

        async def with_a_thing(thing: str) -> str:
            return await self._do(tool, thing)

        async def with_a_place(thing: str, place: str) -> str:
            return await self._do(tool, thing, place)

        return with_a_place if tool.role else with_a_thing if tool.thing else alone

    async def see(self) -> str:
        """What is in view and in the hand."""
        self._perceive()
        asked = (DialogueAct(Act.QUESTION, topic) for topic in ("see", "held"))
        return " ".join(map(self._answers.answer, asked))

    async def _do(self, tool: _Tool, thing: str = "", place: str = "") -> str:
        slots = []
        for role, words in (("", thing), (tool.role, place)):
            phrase = noun_phrase(words.lower().strip(" .!?")) if words else None
            if words and phrase is None:
                return f'"{words}" names nothing. Name a thing in plain English, such as "the mug on the table".'
            slots += [Slot(role, phrase)] if phrase is not None else []
        async with self._one_by_one:
            return (await self._carried_out(DialogueAct(Act.ORDER, tool.verb, tuple(slots)))).said

    async def _carried_out(self, order: DialogueAct) -> Outcome:
        self._perceive()
        steps = self._orders.carry_out(order)
        while True:
            try:
                action = next(steps)
            except StopIteration as over:
                outcome: Outcome = over.value
                return outcome
            await self._body.do(action)
            self._perceive()

    def _perceive(self) -> None:
        self._acting.see(self._eyes.perceive(self._body.observation))
