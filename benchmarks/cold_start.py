"""How long somebody waits for a Follower that nobody talked to before: from the start of a process to its first answer.

    python benchmarks/cold_start.py [--agent lm:model=default] [--repeats 3] [--say "What do you see?"] [--json FILE]

Each time a new process begins a live session, as `teach-agents chat` does, and somebody asks at once. Medians, seconds
since the process was started:

| figure | what it is |
|---|---|
| begun_s | the session stands: what is typed is heard |
| announced_s | it is told that the Follower gets ready or thinks, or it says something |
| announced_after_s | the same since the session stands; also the longest |
| greeting_s | its first words |
| ready_s | its first words behind the question |
| cpu_s | what the process worked until then, over all cores |
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from telling import tell

CHILD = """
import asyncio, json, sys, time
from teach_agents.actions import Role
from teach_agents.cli.live_options import maker_of
from teach_agents.household import Scenario
from teach_agents.installed import installed_tasks
from teach_agents.live import HUMAN, LiveSession, LiveSetting
from teach_agents.simulator.contract import Scene
from teach_agents.tasks import FREE_PLAY

async def main(started, spec, question):
    told = {}
    make = maker_of(Role.FOLLOWER, spec)
    scenario = Scenario("cold", FREE_PLAY, (), Scene("FloorPlan7"), 0)
    chairs = {Role.COMMANDER: HUMAN, Role.FOLLOWER: spec}
    live = LiveSession(LiveSetting("cold", scenario, chairs), build_agent=make, library=installed_tasks())
    await live.start()
    told["begun_s"] = time.time() - started
    await live.say(Role.COMMANDER, question)
    asked = False
    async for event in live.follow(-1):
        now, kind = time.time() - started, event.kind.value
        mine = event.role is Role.FOLLOWER
        if mine and kind in ("getting_ready", "thinking", "utterance"):
            told.setdefault("announced_s", now)
        if kind == "utterance" and not mine:
            asked = True
        if kind == "utterance" and mine:
            told.setdefault("greeting_s", now)
            if asked and now > told["greeting_s"]:
                told["ready_s"] = now
                break
    told["cpu_s"] = time.process_time()
    print(json.dumps(told))
    sys.stdout.flush()
    await live.close()

asyncio.run(main(float(sys.argv[1]), sys.argv[2], sys.argv[3]))
"""


def once(spec: str, question: str) -> dict[str, float]:
    """The times of one process."""
    command = [sys.executable, "-c", CHILD, str(time.time()), spec, question]
    told: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {**told, "announced_after_s": told["announced_s"] - told["begun_s"]}


def figures(found: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Medians, and the longest that it took to be announced."""
    made: dict[str, Any] = {name: round(median(one[name] for one in found), 3) for name in found[0]}
    return {
        "n": len(found),
        **made,
        "announced_after_s_longest": round(max(one["announced_after_s"] for one in found), 3),
    }


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", default="lm:model=default", help="SPEC of the Follower")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--say", default="What do you see?")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = [once(given.agent, given.say) for _ in range(given.repeats)]
    tell({"agent": given.agent, "said": given.say, **figures(found)}, given.json)


if __name__ == "__main__":
    main()
