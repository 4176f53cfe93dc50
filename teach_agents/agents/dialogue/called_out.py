"""Words that are called out before something else: "wait, just leave it there", "hold on, it's at eight"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.dialogue.facts import tells_a_number, tells_a_statement
from teach_agents.core.dialogue import Act, DialogueAct

_CALLED_OUT = re.compile(
    r"\W*(?:(?:oh|ah|no|hey|hm+|actually|well|um|er|uh|sorry|ok|okay|but|and|robot)\W+)*"
    r"(?:(?:wait|hold (?:on|up|it)|hang (?:on|about)|just|one)(?: (?:a|one|half a))?"
    r"(?: (?:sec|second|moment|mo|minute|tick|bit))?\s*[,.!;:\u2014\u2013-]+\s*|wait (?=wait))+"
)
"""What is called out before something else."""
_WAITS = re.compile(
    r"\b(?:wait|stay|pause|hold (?:on|it)|hang on|stand by|until|till|(?:once|when(?:ever)?|as soon as) (?:i|we))\b"
    r"|^(?:and )?then\b"
)
WANTING = frozenset({Act.ORDER, Act.CANCEL, Act.REPEAT, Act.NOT})
"""Acts that want something."""


def without_exclamation(acts: Sequence[DialogueAct], text: str) -> list[DialogueAct]:
    """Acts without the wait of "wait, just leave it on the sofa", which only calls out before it wants something."""
    if not calls_out(text) or not any(act.act in WANTING for act in acts):
        return [*acts]
    return [act for act in acts if act.act is not Act.WAIT]


def calls_out(text: str) -> bool:
    """Whether words begin with "wait", "hold on" or the like, and want no wait behind that."""
    called = _CALLED_OUT.match(text.lower())
    return called is not None and not _WAITS.search(text.lower()[called.end() :])


def told_at_once(acts: Sequence[DialogueAct], text: str) -> Sequence[DialogueAct]:
    """ "No, wait, it's delayed to eight" tells something, and wants no wait."""
    called = _CALLED_OUT.match(text.lower())
    told = text[called.end() :] if called is not None and [act.act for act in acts] == [Act.WAIT] else ""
    return [DialogueAct(Act.FACT, text.strip())] if tells_a_statement(told) and tells_a_number(told) else acts
