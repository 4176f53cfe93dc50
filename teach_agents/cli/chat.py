"""`teach-agents chat`: a household with a live Follower, in the browser or in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from teach_agents.actions import Role
from teach_agents.cli.live_options import Played, Record, maker_of
from teach_agents.cli.options import WHO, Hooks, expanded, option
from teach_agents.errors import InputError

_WHERE = "Where it is shown"
_RECORD = "Keeping it"


@expanded
def chat(  # noqa: PLR0913  # one option a parameter
    *,
    played: Played,
    follower: Annotated[str, option("SPEC of the Follower.", WHO)] = "planner",
    commander: Annotated[str, option("SPEC of the Commander, where you are the Follower.", WHO)] = "planner",
    chair: Annotated[Role, option("The chair that you take.", WHO, "--as")] = Role.COMMANDER,
    hook: Hooks = None,
    pace: Annotated[
        float, option("Least seconds between two actions of an agent, to follow them.", WHO, min=0, max=60)
    ] = 0.0,
    reply: Annotated[
        float, option("Seconds that an agent's words leave you to react before it says more.", WHO, min=0, max=60)
    ] = 4.0,
    terminal: Annotated[bool, option("Talk here, without a browser.", _WHERE, "--terminal")] = False,
    no_browser: Annotated[bool, option("Print the link and open nothing.", _WHERE, "--no-browser")] = False,
    port: Annotated[int, option("Port of the page on this machine; 0 takes a free one.", _WHERE, min=0, max=65535)] = 0,
    record: Record = None,
    resume: Annotated[Path | None, option("Go on with a session that was kept by --record.", _RECORD)] = None,
) -> None:
    """Sit down with a live Follower: tell it in plain English what to do, and watch it.

    The page opens in a browser of this machine, and nobody else can reach it. With --terminal the same goes on here,
    for SSH; where input or output is a pipe, a line is said when the Follower has nothing more to do about the last.

    [bold]Examples[/bold]

      teach-agents chat

      teach-agents chat --task Coffee --room FloorPlan5 --terminal --record coffee.jsonl

      printf 'make coffee in a mug\\n/finish\\n' | teach-agents chat --task Coffee --terminal

      teach-agents chat --as follower --task "Water Plant" --terminal
    """
    paces = {"pace_s": pace, "reply_s": reply}
    spec = follower if chair is Role.COMMANDER else commander
    if not terminal:
        for name, value in (("--record", record), ("--resume", resume)):
            if value is not None:
                raise InputError(name, "goes with --terminal; the page keeps its sessions itself", value=value)
        from teach_agents.cli.chat_page import show_page

        show_page(played, chair, spec, hooks=hook or (), paces=paces, port=port, browser=not no_browser)
        return
    from teach_agents.chat.talk import begin, go_on

    if resume is not None and hook:
        raise InputError("--hook", "a session that is gone on with keeps its hooks", value=hook)
    if resume is None:
        setting = played.setting({chair: "human", chair.partner: spec}, hook, **paces)
        begin(setting, chair, record, maker_of(chair.partner, spec))
    elif record is not None:
        raise InputError("--record", "a session that is gone on with stays in its file", value=record)
    else:
        go_on(resume, pace, reply, maker_of)
