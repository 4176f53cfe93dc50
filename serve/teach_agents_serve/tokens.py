"""The bearer tokens of a server, and the cookie that a browser gets for one."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Mapping, Sequence
from http.cookies import CookieError, SimpleCookie

_LASTS_S = 12 * 3600


class Tokens:
    """Knows who may come in; compares in constant time and writes nothing down.

    A browser that has shown a token gets a cookie: when it ends, and a code over that which only the holder of the
    token could have made. So it outlives a restart of the server, and holds no token.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = [token.encode() for token in tokens]
        whole = hashlib.sha256(b"\0".join(self._tokens)).hexdigest()
        self.cookie_name = f"teach_agents_{whole[:8]}"

    def __bool__(self) -> bool:
        """Whether anything is asked for at all."""
        return bool(self._tokens)

    def owner(self, headers: Mapping[bytes, bytes]) -> str | None:
        """Whose token, by its number, a request carries; `None` without one."""
        return self._of_header(headers.get(b"authorization", b"")) or self._of_cookie(headers.get(b"cookie", b""))

    def cookie(self, owner: str) -> str:
        """A fresh value of the cookie for an owner."""
        number = int(owner.rpartition(" ")[2])
        until = str(int(time.time()) + _LASTS_S)
        return f"{number}.{until}.{self._code(number, until)}"

    @property
    def lasts_s(self) -> int:
        """Seconds that a cookie is good for."""
        return _LASTS_S

    def _of_header(self, given: bytes) -> str | None:
        fits = [hmac.compare_digest(given, b"Bearer " + token) for token in self._tokens]
        return f"token {fits.index(True) + 1}" if any(fits) else None

    def _of_cookie(self, header: bytes) -> str | None:
        try:
            found = SimpleCookie(header.decode("latin1")).get(self.cookie_name)
        except CookieError:
            return None
        number, _, rest = ("" if found is None else found.value).partition(".")
        until, _, code = rest.partition(".")
        if not (_small(number) and _small(until) and 1 <= int(number) <= len(self._tokens)):
            return None
        fits = hmac.compare_digest(code.encode(), self._code(int(number), until).encode())
        return f"token {int(number)}" if fits and int(until) > time.time() else None

    def _code(self, number: int, until: str) -> str:
        said = f"teach_agents login {number} {until}".encode()
        return hmac.new(self._tokens[number - 1], said, hashlib.sha256).hexdigest()


def _small(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 12
