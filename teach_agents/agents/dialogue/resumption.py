"""Going on with some of what was to be done: "go ahead, only skip the pillow"."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.agents.dialogue.agenda import Agenda
from teach_agents.agents.dialogue.cancellations import called_off
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import Act, DialogueAct

_GOING_ON = frozenset({Act.RESUME, Act.YES, Act.OK})
_EXCEPTIONS = frozenset({Act.CANCEL, Act.NEVER})


def with_exceptions(acts: Sequence[DialogueAct], agenda: Agenda, resolver: Resolver) -> list[DialogueAct]:
    """Acts without the exceptions from a go-ahead, once the orders that these name are not to be done any more."""
    exceptions = [act._replace(act=Act.CANCEL) for act in acts if act.act in _EXCEPTIONS and act.of]
    if not exceptions or not _GOING_ON & {act.act for act in acts}:
        return [*acts]
    due = [one.act for one in (*agenda.waiting, *agenda.left) if one.act.act is Act.ORDER]
    gone = called_off(exceptions, due, resolver).orders
    if not gone:
        return [*acts]
    agenda.cancel(gone)
    return [act for act in acts if act.act not in _EXCEPTIONS or not act.of]


def gone_on(acts: Sequence[DialogueAct], text: str, agenda: Agenda, resolver: Resolver) -> None:
    """Go on with what is to be done behind a wait: without what is excepted, and with what was ordered besides."""
    for act in with_exceptions(acts, agenda, resolver):
        if act.act is Act.ORDER:
            agenda.add(act, text)
