"""What a server takes from strangers, how much, and at which address; and what they are told of a SPEC."""

from __future__ import annotations

import ipaddress
import threading
from dataclasses import dataclass, fields

from teach_agents.conventions.agent_wire import PICTURES
from teach_agents.core.specs import Spec, SpecForm, Value, parse
from teach_agents.errors import InputError, SpecError

_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a request may bring, how many instances and sessions are kept, and how long an agent may take.

    A history of 500 pictures of 900 x 900, as JPEG, is about 50 MiB. `answer_s` are the seconds for one answer; to get
    ready an agent has five minutes, or as long as for an answer if that is longer. A body has `body_s` seconds to come.
    `sessions` may be open at once, of one token `sessions_per_token`; one that is not used for `idle_s`, or is older
    than `total_s`, or had `acts` answers, is over. A token (an address, without tokens) has `requests_per_s`
    requests a second, and as many at once. Live sessions that nobody uses sleep on the disk; of one token's, the
    `unfinished` latest can go on. `sockets` may be connected to a live session; one whose client reads nothing for
    `unread_s` is closed. `views` are the pictures that sessions ask for. Raises `InputError` for a limit below 1, for
    seconds that are not above 0, and for pictures that there are not.
    """

    body_bytes: int = 256 * _MIB
    picture_pixels: int = 2_000_000
    history_pictures: int = 5_000
    instances: int = 64
    answer_s: float = 60.0
    sessions: int = 256
    sessions_per_token: int = 256
    acts: int = 100_000
    requests_per_s: int = 5_000
    body_s: float = 60.0
    idle_s: float = 900.0
    total_s: float = 6 * 3600.0
    unfinished: int = 1_000
    sockets: int = 32
    unread_s: float = 30.0
    views: tuple[str, ...] = PICTURES

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if isinstance(limit.default, float):
                if not 0 < value <= threading.TIMEOUT_MAX:
                    raise InputError("server limits", f"{limit.name} must be a number of seconds above 0", value=value)
            elif isinstance(limit.default, int) and (not isinstance(value, int) or value < 1):
                raise InputError("server limits", f"{limit.name} must be a whole number of at least 1", value=value)
        for view in self.views:
            if view not in PICTURES:
                raise InputError("server limits", "no such picture", value=view, valid=PICTURES)

    @property
    def ready_s(self) -> float:
        """Seconds that an agent has to get ready."""
        return max(300.0, self.answer_s)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def required_token(host: str, token: str, *, allow_anonymous: bool) -> str:
    """The token that clients have to send; "" for none.

    Raises `InputError` for an address that others can reach, no token, and no word that this is meant.
    """
    if not token and not is_loopback(host) and not allow_anonymous:
        problem = (
            "others can reach this address: set a token in the environment variable TEACH_AGENTS_TOKEN, or say "
            "--allow-anonymous where nobody needs one (TEACh's own client has none)"
        )
        raise InputError("--host", problem, value=host)
    return token


def public_spec(spec: str) -> str:
    """A SPEC without addresses, and without the folders of the files it names.

    >>> public_spec("lm:model=/srv/models/smollm2,retries=2")
    'lm:model=.../smollm2,retries=2'
    """
    try:
        found = parse(spec)
    except SpecError:
        return "..."
    if found.form is SpecForm.REMOTE:
        return "remote"
    return str(Spec(found.form, found.name, {key: _shown(value) for key, value in found.parameters.items()}))


def public_name(spec: str) -> str:
    """What an agent goes by: its registered name, or its class."""
    found = parse(spec)
    return "remote" if found.form is SpecForm.REMOTE else found.name.rpartition(":")[2].rpartition(".")[2]


def _shown(value: Value) -> Value:
    if not isinstance(value, str):
        return value
    if "://" in value:
        return "..."
    plain = value.replace("\\", "/")
    return f".../{plain.rstrip('/').rpartition('/')[2]}" if "/" in plain else value
