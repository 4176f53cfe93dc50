"""Two coroutines talk over a bus, and a third party listens to everything that is sent.

python examples/two_async_agents.py
"""

import asyncio

import teach_agents as ta
from teach_agents.core.bus import Subscription
from teach_agents.core.messages import EVERYONE

QUESTIONS = ("What do you see?", "And now?", "Thank you.")


async def commander(seen: ta.Observation) -> ta.Action:
    await asyncio.sleep(0.01)  # stands for the call to a model or a service
    return ta.Action.say(QUESTIONS[seen.turn]) if seen.turn < len(QUESTIONS) else ta.Action.finish()


async def follower(seen: ta.Observation) -> ta.Action:
    return ta.Action.say(f"A view of brightness {seen.view.rgb.mean():.0f}.") if seen.heard() else ta.Action.wait()


async def listen(everything: Subscription) -> None:
    async for message in everything:  # until the bus is closed
        print(f"{message.time_ms:5} ms {message.sender:>11} to {message.recipient:<11} {message.kind}")


async def main() -> None:
    bus = ta.MemoryBus()
    async with asyncio.TaskGroup() as group:
        group.create_task(listen(bus.subscribe(EVERYONE)))
        session = ta.Session(ta.Household(ta.EmbeddedSimulator()), commander, follower, bus=bus)
        result = await session.run(ta.Scenario("talk", "Coffee", (), ta.Scene("FloorPlan1")))
        await bus.close()
    print(f"{result.reason} after {result.turns} turns")


asyncio.run(main())
