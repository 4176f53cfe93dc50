"""`teach-agents chat`: a household with a live Follower, in the browser or in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from teach_agents.actions import Role
from teach_agents.cli.live_options import Played, Record, maker_of
from teach_agents.cli.options import WHO, Hooks, Options, expanded, option
from teach_agents.errors import InputError

_WHERE = "Where it is shown"
_RECORD = "Keeping it"


class _Pace(Options):
    """How fast agents act and talk."""

    pace: Annotated[
        float | None,
        option(
            "Least seconds between two actions of an agent, so that you can follow; by default 0.25, and 0 for lines "
            "from a pipe.",
            WHO,
            min=0,
            max=60,
        ),
    ] = None
    reply: Annotated[
        float, option("Seconds that an agent's words leave you to react before it says more.", WHO, min=0, max=60)
    ] = 4.0

    def seconds(self, *, watched: bool) -> dict[str, float]:
        """The paces of a session by the names of `LiveSetting`; `watched` is whether somebody follows it as it goes."""
        from teach_agents.live import PACE_S

        usual = PACE_S if watched else 0.0
        return {"pace_s": usual if self.pace is None else self.pace, "reply_s": self.reply}


class _Keeping(Options):
    """What is kept of a chat."""

    record: Record = None
    resume: Annotated[Path | None, option("Go on with a session that was kept by --record.", _RECORD)] = None
    no_record: Annotated[
        bool,
        option("Write nothing to the disk: nothing is left of a session when you leave.", _RECORD, "--no-record"),
    ] = False
    forget: Annotated[
        bool, option("Delete what was kept of your chats on this machine, and do nothing else.", _RECORD, "--forget")
    ] = False
    yes: Annotated[bool, option("With --forget: ask for no confirmation.", _RECORD, "--yes")] = False

    def check(self, *, terminal: bool, hooked: bool) -> None:
        """Raise `InputError` for what does not go together."""
        for name, value in (("--record", self.record), ("--resume", self.resume)):
            if value is not None and self.no_record:
                raise InputError(name, "does not go with --no-record", value=value)
            if value is not None and not terminal:
                raise InputError(name, "goes with --terminal; the page keeps its sessions itself", value=value)
        if self.resume is not None and hooked:
            raise InputError("--hook", "a session that is gone on with keeps its hooks", value=self.resume)
        if self.resume is not None and self.record is not None:
            raise InputError("--record", "a session that is gone on with stays in its file", value=self.record)


@expanded
def chat(  # noqa: PLR0913  # one option a parameter
    *,
    played: Played,
    follower: Annotated[
        str, option("SPEC of the Follower; by default lm:model=default, or the planner without its weights.", WHO)
    ] = "",
    commander: Annotated[str, option("SPEC of the Commander, where you are the Follower.", WHO)] = "planner",
    chair: Annotated[Role, option("The chair that you take.", WHO, "--as")] = Role.COMMANDER,
    hook: Hooks = None,
    pace: _Pace,
    terminal: Annotated[bool, option("Talk here, without a browser.", _WHERE, "--terminal")] = False,
    no_browser: Annotated[bool, option("Print the link and open nothing.", _WHERE, "--no-browser")] = False,
    port: Annotated[int, option("Port of the page on this machine; 0 takes a free one.", _WHERE, min=0, max=65535)] = 0,
    keeping: _Keeping,
) -> None:
    """Sit down with a live Follower: tell it in plain English what to do, and watch it.

    The page opens in a browser of this machine, and nobody else can reach it. With --terminal the same goes on here,
    for SSH; where input or output is a pipe, a line is said when the Follower has nothing more to do about the last.

    [bold]Examples[/bold]

      teach-agents chat

      teach-agents chat --task Coffee --room FloorPlan5 --terminal --record coffee.jsonl

      printf 'make coffee in a mug\\n/finish\\n' | teach-agents chat --task Coffee --terminal

      teach-agents chat --as follower --task "Water Plant" --terminal

      teach-agents chat --no-record

      teach-agents chat --forget
    """
    if keeping.forget:
        from teach_agents.cli.chat_forget import forget_chats

        forget_chats(sure=keeping.yes)
        return
    keeping.check(terminal=terminal, hooked=bool(hook))
    if terminal:
        _talk(played, chair, "" if keeping.resume else _partner(chair, follower, commander), hook, pace, keeping)
        return
    from teach_agents.cli.chat_page import Page, show_page

    spec = _partner(chair, follower, commander)
    page = Page(port, browser=not no_browser, kept=not keeping.no_record)
    show_page(played, chair, spec, hooks=hook or (), paces=pace.seconds(watched=True), page=page)


def _talk(  # what a person at a terminal may choose
    played: Played, chair: Role, spec: str, hook: list[str] | None, pace: _Pace, keeping: _Keeping
) -> None:
    watched = sys.stdin.isatty()
    if watched:
        typer.echo("One moment: the room is furnished.", err=True)
    from teach_agents.chat.talk import begin, go_on

    paces = pace.seconds(watched=watched)
    if keeping.resume is not None:
        go_on(keeping.resume, paces["pace_s"], paces["reply_s"], maker_of)
        return
    make = maker_of(chair.partner, spec)
    begin(played.setting({chair: "human", chair.partner: spec}, hook, **paces), chair, keeping.record, make)


def _partner(chair: Role, follower: str, commander: str) -> str:
    """The SPEC of who has the other chair; where it is not the one that is meant, that is said."""
    if chair is Role.FOLLOWER or follower:
        return commander if chair is Role.FOLLOWER else follower
    from teach_agents.live.followers import default_follower

    found = default_follower()
    if found.note:
        typer.echo(found.note, err=True)
    return found.spec
