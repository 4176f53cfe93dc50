"""What Redis does at one stroke: the Lua scripts beside this module, over the keys of one bus.

Names in keys are percent-encoded, so that `|` stands between them only. Every key has a time to live, which its owner
renews while it lives; nothing is left behind for good.

| key | holds |
|---|---|
| `at`, scope, address | the mailboxes that listen there; the scope is a session, or `any` |
| `info`, mailbox | `owner` (a bus), `address`, `since` when, `waited` and `behind` (see `publish.lua`); its life |
| `box`, mailbox | the stream: what was not yet received, and what is being handled (group `g`) |
| `wait`, session, correlation | who asked whom, and at which stream it waits for the reply |
| `replies`, bus | that stream |
| `sent`, bus, session | the number of the last message that was published, so that none is published twice |
| `worker`, name | the bus that stands in for the worker now |
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def script(name: str) -> str:
    """One of them by the name of its file, behind what all of them share."""
    folder = Path(__file__).parent / "lua"
    return "".join((folder / f"{one}.lua").read_text("utf-8") for one in ("shared", name))
