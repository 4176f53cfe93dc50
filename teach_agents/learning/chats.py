"""Demonstrations as chats, for trainers that are not ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from teach_agents.actions import Role
from teach_agents.core.benchmark.folder import storing
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError
from teach_agents.learning.demonstrations import Demonstration, write_lines
from teach_agents.learning.gathering import gathered

if TYPE_CHECKING:
    from teach_agents_prompts import Prompts


def write_chats(out: Path, data: Sequence[Path], role: Role | None = None, *, show_choices: bool = False) -> int:
    """Write the demonstrations of files and folders, of one role if any, as JSON lines; how many.

    With `show_choices` a prompt lists them, as it does for models that are not held to one (template `lm_choices`).
    The file is whole or absent. Raises `InputError` for data that cannot be read, or of which none is to be written,
    and `TeachAgentsError` where `out` cannot be written.
    """
    from teach_agents_prompts import load_prompts

    prompts = load_prompts(None) if show_choices else None

    def rows() -> Iterator[JsonObject]:
        for one in (one for path in data for one in gathered(path)):
            if role is None or one.role is role:
                yield chat_of(one, prompts)

    if out.is_dir():
        raise InputError("--out", "is a folder; name a file", value=str(out))
    first = next(rows(), None)
    if first is None:
        raise InputError("--data", "holds no demonstrations of this role", value=", ".join(map(str, data)))
    with storing(out.parent):
        out.parent.mkdir(parents=True, exist_ok=True)
        return write_lines(out, rows())


def chat_of(one: Demonstration, prompts: Prompts | None = None) -> JsonObject:
    """A demonstration as a chat with its choices beside it; given `prompts`, the user's message lists them."""
    user = one.user
    if prompts is not None:
        user = f"{user.rstrip()}\n\n{prompts.render('lm_choices', choices=list(one.choices))}"
    told = (("system", one.system), ("user", user), ("assistant", one.choice))
    return {
        "messages": [{"role": role, "content": content} for role, content in told if content],
        "metadata": {"session": one.session, "kind": one.kind, "role": one.role.value, "choices": list(one.choices)},
    }
