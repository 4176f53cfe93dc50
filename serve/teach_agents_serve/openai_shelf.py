"""Chats on the disk, so that they go on after the server was started anew."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path

from teach_agents.core.benchmark.folder import write_atomically
from teach_agents_serve.openai_answers import Answer, without_pictures
from teach_agents_serve.openai_conversations import Conversation, Turn

_LOG = logging.getLogger(__name__)


class Shelf:
    """A folder with a file for each chat: whose it is, its session, what was said and answered; the latest `most`.

    An answer that goes on is not in it: a client that asks for it again is answered anew, and nothing is said twice.
    """

    def __init__(self, folder: Path, most: int) -> None:
        self._folder = folder
        self._most = most

    def all(self) -> list[Conversation]:
        """The chats that were kept, the oldest first. What cannot be read is passed over, and logged."""
        found = []
        for path in self._files():
            try:
                found.append(_read(path))
            except (OSError, ValueError, KeyError, TypeError) as error:
                _LOG.warning("%s holds no chat: %s", path, error)
        return found

    async def keep(self, conversation: Conversation) -> None:
        """Write a chat; a disk that does not take it is logged: the chat goes on."""
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
            await asyncio.to_thread(self._write, f"{conversation.session}.json", json.dumps(told))
        except OSError as error:
            _LOG.warning("a chat could not be kept: %s", error)

    def _write(self, name: str, text: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_atomically(self._folder / name, text)
        for path in self._files()[: -self._most]:
            path.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        """The oldest first."""
        return sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)


def _read(path: Path) -> Conversation:
    told = json.loads(path.read_text(encoding="utf8"))
    turns = [Turn(tuple(one["said"]), Answer(str(one["answer"]), str(one["finish"]))) for one in told["turns"]]
    return Conversation(tuple(told["scope"]), str(told["name"]), str(told["session"]), turns)
