"""What tokens cost, for models whose servers do not tell."""

from __future__ import annotations

import re
from dataclasses import replace

from teach_agents.errors import InputError
from teach_agents.models.prompts import Usage

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
