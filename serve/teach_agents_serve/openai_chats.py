"""Chats as live sessions: opened, spoken in once, answered; whoever speaks meanwhile cuts an answer short."""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus

from teach_agents.errors import InputError
from teach_agents.live import LiveError
from teach_agents_serve.agent_sessions import Refusal
from teach_agents_serve.live_desk import LiveDesk
from teach_agents_serve.openai_answers import Answer
from teach_agents_serve.openai_conversations import Asked, Conversation, Conversations, Turn
from teach_agents_serve.openai_models import Chosen
from teach_agents_serve.openai_shelf import Shelf
from teach_agents_serve.openai_talking import Talking
from teach_agents_serve.openai_wire import ChatError

_LOG = logging.getLogger(__name__)


class Chats:
    """Answers requests: opens sessions, has what is new said in them once."""

    def __init__(self, desk: LiveDesk, limit_s: float) -> None:
        most = 4 * desk.limits.sessions
        self._desk = desk
        self._shelf = Shelf(desk.serving.store / "chats", most)
        self._conversations = Conversations(most, self._shelf.all())
        self._limit_s = limit_s

    def take(self, asked: Asked, choice: Chosen) -> tuple[Conversation, Turn]:
        """The turn of a request: one that is under way or over already, or a new one. Raises `ChatError`."""
        conversation, repeated = self._conversations.find(asked)
        if repeated is not None:
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
            if before is not None and before.work is not None:
                await before.answer.spoken.wait()
                before.work.cancel()
                before.answer.end("stop")
            first = not conversation.session
            if first:
                made = await self._desk.create(choice.session, conversation.scope[0])
                conversation.session = made.id
                await self._shelf.keep(conversation)
            async with self._desk.using(conversation.session) as awake:
                talking = Talking(awake.live, turn.answer, choice.pictures, self._limit_s)
                await talking.go(turn.said, f"chat-{conversation.turns.index(turn)}", first=first)
            await self._shelf.keep(conversation)
        except ChatError as error:
            self._fail(conversation, turn, error)
        except Refusal as refusal:
            status = HTTPStatus.BAD_REQUEST if refusal.status == HTTPStatus.CONFLICT else refusal.status
            self._fail(conversation, turn, ChatError(status, refusal.error, str(refusal)))  # clients repeat a 409
        except LiveError as error:
            self._fail(conversation, turn, ChatError(HTTPStatus.BAD_REQUEST, error.kind, str(error)))
        except InputError as error:
            self._fail(conversation, turn, ChatError(HTTPStatus.BAD_REQUEST, "bad_request", str(error)))
        except Exception as error:  # noqa: BLE001  # no stack trace leaves the server
            _LOG.warning("a chat failed", exc_info=error)
            problem = "the answer could not be made"
            self._fail(conversation, turn, ChatError(HTTPStatus.INTERNAL_SERVER_ERROR, "failed", problem))

    def _fail(self, conversation: Conversation, turn: Turn, error: ChatError) -> None:
        """What was refused may be asked for again."""
        if not turn.answer.text:
            conversation.turns.remove(turn)
        if not conversation.session:
            self._conversations.forget(conversation)
        turn.answer.end("stop", error)
