"""What callers of servers have in common: time limits, retries that wait longer, calls per second; prices; pictures."""

from __future__ import annotations

import base64
import io
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic, sleep
from typing import TYPE_CHECKING, TypeVar

from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError, ModelError, ModelTimeoutError
from teach_agents.models.prompts import ChatMessage, Usage

_T = TypeVar("_T")


class PassingError(ModelError):
    """What may go away by trying again, after `wait_s` seconds where the server said so."""

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        self.wait_s = wait_s
        super().__init__(message)


class RateLimit:
    """Lets calls pass one after another, `per_second` of them at most; 0 is no limit."""

    def __init__(self, per_second: float) -> None:
        if not per_second >= 0:
            raise InputError("rate limit", "must be calls per second, 0 for none", value=per_second)
        self._gap = 1 / per_second if per_second else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def turn(self) -> float:
        """Take the next turn: seconds until it comes."""
        with self._lock:
            now = monotonic()
            turn = max(now, self._next)
            self._next = turn + self._gap
            return turn - now


@dataclass(frozen=True, slots=True)
class Patience:
    """Up to `attempts` tries; between them `wait_s`, twice that, four times that ... seconds, `longest_s` at most."""

    attempts: int = 4
    wait_s: float = 0.5
    longest_s: float = 30.0

    def keep_trying(self, call: Callable[[float], _T], limit_s: float, rate: RateLimit) -> _T:
        """What `call` returns, which is given the seconds that are left.

        Tries again after `PassingError`. Raises `ModelTimeoutError` when a wait would go past `limit_s` seconds, and
        the last error when there were enough attempts.
        """
        until = monotonic() + limit_s
        wait = self.wait_s
        for attempt in range(1, self.attempts + 1):
            _rest(rate.turn(), until, limit_s, None)
            try:
                return call(until - monotonic())
            except PassingError as error:
                if attempt == self.attempts:
                    raise ModelError(f"{error}; gave up after {attempt} attempts") from error
                _rest(min(wait if error.wait_s is None else error.wait_s, self.longest_s), until, limit_s, error)
            wait *= 2
        raise AssertionError("an attempt returns or raises")


def _rest(seconds: float, until: float, limit_s: float, error: PassingError | None) -> None:
    if monotonic() + seconds >= until:
        why = f": {error}" if error else ""
        raise ModelTimeoutError(f"no answer within {limit_s:g} s{why}") from error
    if seconds > 0:
        sleep(seconds)


_FORM = re.compile(r"(\d+(?:\.\d*)?)/(\d+(?:\.\d*)?)")


class Price:
    """USD per million tokens, `IN/OUT` as in `2.5/10`; empty where no price is known. Raises `InputError`."""

    def __init__(self, written: str) -> None:
        found = _FORM.fullmatch(written)
        if written and not found:
            raise InputError("price", "is USD per million tokens in and out", value=written, valid=["2.5/10"])
        self._rates = (float(found[1]), float(found[2])) if found else None

    def priced(self, usage: Usage) -> Usage:
        """The usage with what it cost."""
        if self._rates is None:
            return usage
        cost = usage.prompt_tokens * self._rates[0] + usage.generated_tokens * self._rates[1]
        return replace(usage, cost_usd=cost / 1e6)


if TYPE_CHECKING:
    from teach_agents.arrays import Image


def content_of(message: ChatMessage) -> str | list[JsonObject]:
    """The content of a message as OpenAI has it: the pictures (PNG, base64), then the text; the text alone without."""
    if not message.images:
        return message.text
    pictures = [{"type": "image_url", "image_url": {"url": _data_url(image)}} for image in message.images]
    return [*pictures, {"type": "text", "text": message.text}]


def check_calls(where: str, parallel: int, attempts: int) -> None:
    """Raise `InputError` for what no server can be called by."""
    if parallel < 1 or attempts < 1:
        raise InputError(where, "parallel and attempts must be at least 1", value=(parallel, attempts))


def _data_url(image: Image) -> str:
    """A picture as the address that holds it."""
    from PIL import Image as Pictures

    file = io.BytesIO()
    Pictures.fromarray(image).save(file, format="PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")
