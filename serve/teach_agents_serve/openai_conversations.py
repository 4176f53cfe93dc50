"""Which session a request belongs to: a chat is known by what was said and answered (docs/openai_endpoint.md)."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from time import monotonic
from typing import Any

from teach_agents_serve.openai_answers import Answer
from teach_agents_serve.openai_wire import ChatError, ChatMessage

_REPEAT_S = 30.0
"""The same opening from a client that says nothing of retries is one conversation for so long after its answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request says: what went before (what was said, what was answered), and what is new.

    `scope` is whose it is and of which room and task; `name` the session's own name where the client gave it one; `key`
    names the request; `tries` says how often it was sent before, `None` where the client does not tell.
    """

    scope: tuple[str, ...]
    past: tuple[tuple[tuple[str, ...], str], ...]
    said: tuple[str, ...]
    name: str = ""
    key: str = ""
    tries: int | None = None


def asked_of(messages: Sequence[ChatMessage]) -> tuple[tuple[tuple[tuple[str, ...], str], ...], tuple[str, ...]]:
    """What went before and what is new in a list of messages; system messages say nothing to a Follower.

    Raises `ChatError` where nothing is new.
    """
    past: list[tuple[tuple[str, ...], str]] = []
    said: list[str] = []
    for message in messages:
        if message.role == "user":
            said.append(message.text.strip())
        elif message.role == "assistant" and said:
            past.append((tuple(said), message.text))
            said = []
        elif message.role == "assistant" and past:
            past[-1] = (past[-1][0], f"{past[-1][1]}\n{message.text}")
    new = tuple(text for text in said if text)
    if not new:
        problem = "the last message must be the user's, and say something: it is told to the Follower"
        raise ChatError(HTTPStatus.BAD_REQUEST, "nothing_said", problem, "messages")
    return tuple(past), new


@dataclass(slots=True)
class Turn:
    """What was said at once, and the answer; `work` makes it."""

    said: tuple[str, ...]
    answer: Answer
    key: str = ""
    work: asyncio.Task[None] | None = None


@dataclass(slots=True)
class Conversation:
    """A chat, and the session it is; "" until the session is made."""

    scope: tuple[str, ...]
    name: str
    session: str = ""
    turns: list[Turn] = field(default_factory=list)

    def went_so(self, past: Sequence[tuple[tuple[str, ...], str]]) -> bool:
        """Whether it began like this."""
        return len(past) <= len(self.turns) and all(
            turn.said == said and turn.answer.is_quoted_by(answer)
            for turn, (said, answer) in zip(self.turns, past, strict=False)
        )


class Conversations:
    """The conversations of one server, the latest `most` of them; `known` are from before, the oldest first."""

    def __init__(self, most: int, known: Iterable[Conversation] = ()) -> None:
        self._most = most
        self._all = OrderedDict((id(one), one) for one in known)

    def find(self, asked: Asked) -> tuple[Conversation, Turn | None]:
        """The conversation that a request goes on with, and the turn that it repeats, if it does.

        A new one where it opens one. Raises `ChatError` for a history that none here has.
        """
        found = self._named(asked) if asked.name else self._like(asked)
        if found is None:
            if asked.past and not asked.name:
                raise _unknown()
            found = Conversation(asked.scope, asked.name), None
        conversation, repeated = found
        self._all.pop(id(conversation), None)
        self._all[id(conversation)] = conversation
        while len(self._all) > self._most:
            self._all.popitem(last=False)
        return conversation, repeated

    def forget(self, conversation: Conversation) -> None:
        """Its session could not be made."""
        self._all.pop(id(conversation), None)

    def _named(self, asked: Asked) -> tuple[Conversation, Turn | None] | None:
        owner = asked.scope[0]
        for known in reversed(self._all.values()):
            if known.name == asked.name and known.scope[0] == owner:
                last = known.turns[-1] if known.turns else None
                if (
                    last is not None
                    and last.said == asked.said
                    and (len(asked.past) + 1 == len(known.turns) > 1 or _repeats(asked, last))
                ):
                    return known, last
                return known, None
        return None

    def _like(self, asked: Asked) -> tuple[Conversation, Turn | None] | None:
        at = len(asked.past)
        behind: Any = None
        for known in reversed(self._all.values()):
            if known.name or known.scope != asked.scope or not known.went_so(asked.past):
                continue
            if at == len(known.turns):
                return known, None
            turn = known.turns[at]
            if turn.said == asked.said and (at > 0 or _repeats(asked, turn)):
                behind = behind or (known, turn)
        found: tuple[Conversation, Turn] | None = behind
        return found


def _repeats(asked: Asked, turn: Turn) -> bool:
    """Whether a request that says the same is the same, sent again."""
    if asked.key or turn.key:
        return asked.key == turn.key
    if asked.tries is not None:
        return asked.tries > 0
    return not turn.answer.finish or monotonic() - turn.answer.over_at < _REPEAT_S


def _unknown() -> ChatError:
    return ChatError(
        HTTPStatus.BAD_REQUEST,
        "unknown_conversation",
        "no session here went like this: its messages were edited, or the server forgot it. A household cannot go back "
        "in time: start a new chat, or name the session (metadata.session, or the header X-Teach-Session)",
        "messages",
    )
