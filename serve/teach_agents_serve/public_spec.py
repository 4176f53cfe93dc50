"""What clients are told of an agent's SPEC: which agent and how it was set, and nothing of the machine it runs on."""

from __future__ import annotations

from teach_agents.core.specs import Spec, SpecForm, Value, parse
from teach_agents.errors import SpecError


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
    parameters = {key: _shown(value) for key, value in found.parameters.items()}
    return str(Spec(found.form, found.name, parameters))


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
