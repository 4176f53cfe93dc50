"""Which language a text is in, as far as its letters and its little words tell."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.noun_phrases import is_known, singular


def language_of(text: str) -> str:
    """The language of a text that is not English, by its English name; "" for English, or where nothing can be told."""
    letters = [one for one in text if one.isalpha()]
    scripts = Counter(unicodedata.name(one, "").partition(" ")[0].capitalize() for one in letters)
    script, number = scripts.most_common(1)[0] if scripts else ("Latin", 0)
    if script != "Latin" and 2 * number > len(letters):
        japanese = scripts["Hiragana"] or scripts["Katakana"]
        return "Japanese" if japanese else str(grammar()["scripts"].get(script, script))
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text.lower())
    little = {name: set(known.split()) for name, known in grammar()["languages"].items()}
    counts = {name: sum(word in known for word in words) for name, known in little.items()}
    best = max(counts, key=lambda name: counts[name])
    english = sum(word in grammar()["little"].split() or is_known(Phrase(singular(word))) for word in words)
    return best if counts[best] >= max(2, english + 1) and 3 * counts[best] >= len(words) else ""


def likeliest_language(text: str) -> str:
    """The language that a text which is not English is most likely in; "" where nothing tells."""
    return language_of(text)
