"""Texts as patterns look for words in them."""

from __future__ import annotations


def plain_text(text: str) -> str:
    """A text in lower case, with straight apostrophes and single spaces."""
    return " ".join(text.lower().replace("\u2019", "'").split())


def unquoted(text: str) -> str:
    """A plain text without quotation marks."""
    return plain_text(text.replace('"', ""))
