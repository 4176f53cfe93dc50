"""How much an agent may say, and how much is kept of what it says: these numbers stand here and nowhere else."""

from __future__ import annotations

LONGEST_TEXT = 100_000
"""Characters of any one text in an action: what is said, searched for, named. An answer with a longer one is none."""
LARGEST_THOUGHT = 65_536
"""Bytes of JSON (UTF-8) that are kept of one thought."""
CLIPPED_TEXT = 2_048
"""Characters that are kept of every text in a thought that is larger than that."""
LONGEST_ERROR = 20_000
"""Characters that are kept of what an agent raised: the beginning of its words, the end of its traceback."""
