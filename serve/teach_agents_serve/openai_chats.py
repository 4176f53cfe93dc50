"""Chats as live sessions: found by what was said and answered, opened, spoken in once, answered, kept on the disk.

See docs/openai_endpoint.md.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.errors import InputError, trace_of
from teach_agents.live import LiveError
from teach_agents_serve.agent_sessions import Refusal
from teach_agents_serve.live_desk import LiveDesk
from teach_agents_serve.openai_answers import Answer, Talking, plain, without_pictures
from teach_agents_serve.openai_wire import ChatError, ChatMessage, Chosen

_REPEAT_S = 30.0
"""The same opening from a client that says nothing of retries is one conversation for so long after its answer."""
_LOG = logging.getLogger(__name__)
Exchanges = Sequence[tuple[tuple[str, ...], str]]
"""What was said, and what was answered to it, again and again."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request says: what went before (what was said, what was answered), and what is new.

    `scope` is whose it is and of which room and task; `name` the session's own name where the client gave it one; `key`
    names the request; `tries` says how often it was sent before, `None` where the client does not tell.
    """

    scope: tuple[str, ...]
    past: Exchanges
    said: tuple[str, ...]
    name: str = ""
    key: str = ""
    tries: int | None = None


def asked_of(messages: Sequence[ChatMessage]) -> tuple[Exchanges, tuple[str, ...]]:
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
        raise ChatError(problem, "messages", code="nothing_said")
    return past, new


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

    def went_so(self, past: Exchanges) -> bool:
        """Whether it began like this, for a client that has had all of its answers or their beginnings."""
        return len(past) <= len(self.turns) and all(
            turn.said == said and plain(turn.answer.text).startswith(plain(answer))
            for turn, (said, answer) in zip(self.turns, past, strict=False)
        )


_Found = tuple[Conversation, Turn | None]
"""A conversation, and the turn of it that a request repeats, if it does."""


class Conversations:
    """The conversations of one server, the latest `most` of them; `known` are from before, the oldest first."""

    def __init__(self, most: int, known: Iterable[Conversation] = ()) -> None:
        self._most = most
        self._all = OrderedDict((id(one), one) for one in known)

    def find(self, asked: Asked) -> _Found:
        """The conversation that a request goes on with, and the turn that it repeats, if it does.

        A new one where it opens one. Raises `ChatError` for a history that none here has.
        """
        found = self._named(asked) if asked.name else self._like(asked)
        if found is None:
            if asked.past and not asked.name:
                problem = (
                    "no session here went like this: its messages were edited, or the server forgot it. A household "
                    "cannot go back in time: start a new chat, or name the session (metadata.session, or the header "
                    "X-Teach-Session)"
                )
                raise ChatError(problem, "messages", code="unknown_conversation")
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

    def _named(self, asked: Asked) -> _Found | None:
        owner = asked.scope[0]
        for known in reversed(self._all.values()):
            if known.name == asked.name and known.scope[0] == owner:
                for last in known.turns[-1:]:
                    again = len(asked.past) + 1 == len(known.turns) > 1 or _repeats(asked, last)
                    if last.said == asked.said and again:
                        return known, last
                return known, None
        return None

    def _like(self, asked: Asked) -> _Found | None:
        at = len(asked.past)
        behind: _Found | None = None
        for known in reversed(self._all.values()):
            if known.name or known.scope != asked.scope or not known.went_so(asked.past):
                continue
            if at == len(known.turns):
                return known, None
            turn = known.turns[at]
            if turn.said == asked.said and (at > 0 or _repeats(asked, turn)):
                behind = behind or (known, turn)
        return behind


def _repeats(asked: Asked, turn: Turn) -> bool:
    """Whether a request that says the same is the same, sent again."""
    if asked.key or turn.key:
        return asked.key == turn.key
    if asked.tries is not None:
        return asked.tries > 0
    return not turn.answer.finish or monotonic() - turn.answer.over_at < _REPEAT_S


@dataclass(eq=False)
class Shelf:
    """A folder with a file for each chat: whose it is, its session, what was said and answered; the latest `most`.

    Without a folder nothing is kept.

    An answer that goes on is not in it: a client that asks for it again is answered anew, and nothing is said twice.
    """

    _folder: Path | None
    _most: int

    def all(self) -> list[Conversation]:
        """The chats that were kept, the oldest first. What cannot be read is passed over, and logged."""
        found = []
        for path in self._files():
            try:
                told = json.loads(path.read_text(encoding="utf8"))
                turns = [
                    Turn(tuple(one["said"]), Answer(str(one["answer"]), str(one["finish"]))) for one in told["turns"]
                ]
                found.append(Conversation(tuple(told["scope"]), str(told["name"]), str(told["session"]), turns))
            except (OSError, ValueError, KeyError, TypeError) as error:
                _LOG.warning("%s holds no chat: %s", path, trace_of(error))
        return found

    async def keep(self, conversation: Conversation) -> None:
        """Write a chat; a disk that does not take it is logged: the chat goes on."""
        if self._folder is None:
            return
        told = {
            "scope": conversation.scope,
            "name": conversation.name,
            "session": conversation.session,
            "turns": [
                {"said": turn.said, "answer": without_pictures(turn.answer.text), "finish": turn.answer.finish}
                for turn in conversation.turns
                if turn.answer.finish
            ],
        }
        try:
            await asyncio.to_thread(self._write, self._folder / f"{conversation.session}.json", json.dumps(told))
        except OSError as error:
            _LOG.warning("a chat could not be kept: %s", error)

    def _write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
        for path in self._files()[: -self._most]:
            path.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        """The oldest first."""
        found = self._folder.glob("*.json") if self._folder is not None else ()
        return sorted(found, key=lambda path: path.stat().st_mtime)


class Chats:
    """Answers requests: opens sessions, has what is new said in them once."""

    def __init__(self, desk: LiveDesk, limit_s: float) -> None:
        most = 4 * desk.limits.sessions
        self._desk = desk
        store = desk.serving.store
        self._shelf = Shelf(store / "chats" if store is not None else None, most)
        self._conversations = Conversations(most, self._shelf.all())
        self._limit_s = limit_s

    def take(self, asked: Asked, choice: Chosen) -> tuple[Conversation, Turn]:
        """The turn of a request: one that is under way or over already, or a new one. Raises `ChatError`."""
        conversation, repeated = self._conversations.find(asked)
        if repeated:
            return conversation, repeated
        before = conversation.turns[-1] if conversation.turns else None
        for old in conversation.turns[:-1]:
            old.answer.forget_pictures()
        turn = Turn(asked.said, Answer(), asked.key)
        conversation.turns.append(turn)
        turn.work = asyncio.ensure_future(self._work(conversation, turn, before, choice))
        return conversation, turn

    async def _work(self, conversation: Conversation, turn: Turn, before: Turn | None, choice: Chosen) -> None:
        """Make the answer. Who speaks while the last one goes on cuts it short."""
        try:
            if before and before.work:
                await before.answer.spoken.wait()
                before.work.cancel()
                before.answer.end("stop")
            first = not conversation.session
            if first:
                conversation.session = (await self._desk.create(choice.session, conversation.scope[0])).id
                await self._shelf.keep(conversation)
            async with self._desk.using(conversation.session) as awake:
                talking = Talking(awake.live, turn.answer, choice.pictures, self._limit_s)
                await talking.go(turn.said, f"chat-{conversation.turns.index(turn)}", first=first)
            await self._shelf.keep(conversation)
        except Exception as error:  # noqa: BLE001  # no stack trace leaves the server
            if not turn.answer.text:  # what was refused may be asked for again
                conversation.turns.remove(turn)
            if not conversation.session:
                self._conversations.forget(conversation)
            turn.answer.end("stop", _told(error))


def _told(error: Exception) -> ChatError:
    """What a client hears of what went wrong."""
    match error:
        case ChatError():
            return error
        case Refusal():  # clients repeat a 409
            status = 400 if error.status == 409 else error.status
            return ChatError(str(error), code=error.error, status=status)
        case LiveError():
            return ChatError(str(error), code=error.kind)
        case InputError():
            return ChatError(str(error))
    _LOG.warning("a chat failed: %s", trace_of(error))
    return ChatError("the answer could not be made", code="failed", status=500)
