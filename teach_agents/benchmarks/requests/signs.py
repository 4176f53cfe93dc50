"""Phrases by which a reply is known to refuse, to admit ignorance, to put off or to claim success, as patterns."""

from __future__ import annotations

import re
from collections.abc import Mapping


def _either(*lines: str) -> str:
    """Any of the phrases between bars."""
    return "|".join(part.strip() for line in lines for part in line.split("|"))


SIGNS: Mapping[str, str] = {
    "<cannot>": _either(
        "can't|cannot|can not|unable|not able|couldn't|could not|don't know how|do not know how|no way to",
        "isn't possible|is not possible|not possible|impossible|isn't something i|not something i|beyond me",
        "won't|will not|i (?:don't|do not)(?! know| understand)|(?:does not|doesn't|don't|do not) (?:open|move)",
        "too heavy|only (?:carry|hold|take) one|not (?:equipped|made|built) to",
    ),
    "<unknown>": _either(
        "don't know|do not know|not sure|(?:see|saw|find|found) no|no idea|never seen|i know (?:of )?no",
        "isn't (?:one|a|any)",
        "haven't (?:seen|found|come across|looked)|have not (?:seen|found|come across|looked)",
        "can't (?:see|find|tell)|cannot (?:see|find|tell)|couldn't (?:see|find)|could not (?:see|find)",
        "don't see|do not see|did not see|didn't see|did not find|didn't find",
        r"there (?:is|are) no|there's no|there (?:isn't|aren't|is not|are not) any|no \w+ (?:here|in the room)",
    ),
    "<forbidden>": _either(
        "told me|you said|asked me|forbade|forbidden|not (?:allowed|supposed)|mustn't|must not|may not|shouldn't",
        "should not|not to|promised|said (?:i|not)|leave it|leave them|off limits|permission|shall i|may i|should i",
        "have to (?:open|touch|use|turn)|without (?:opening|touching|using|turning)|(?:ok|okay) to",
    ),
    "<already>": _either(
        "already|is still|was still|nothing to do|no need|needn't",
        "(?:isn't|is not|it's not|was not|wasn't) (?:dirty|open|on)",
        "it's clean|it is clean",
    ),
}
"""Signs that stand for many phrases in cases, besides `<yes>` and `<no>`."""

POLAR = re.compile(
    r"\b(?:(yes|yeah|yep|yup|sure|certainly|indeed|correct|of course)"
    r"|(no|nope|not|nothing|none|never|neither|cannot|can't|\w+n't))\b"
)
"""Words that say yes, then those that say no."""

IGNORANCE = re.compile(r"\b(?:do not know|don't know|cannot tell|can't tell|not sure|not certain|no idea)\b")
"""What says neither, though it has such a word."""

_PUT_OFF = _either(
    "one moment|(?:just )?a (?:moment|second)|moment|ok(?:ay)?|sure|right|alright|of course|will do|on it|on my way",
    "hm+|let me (?:see|think|look|check)(?: around)?|(?:i'll|i will) (?:look|have a look|check)(?: around)?",
    "looking(?: around)?|working on it|yes|hello|hi",
)
NO_CONTENT = re.compile(rf"(?:(?:{_PUT_OFF})\s*)*")
"""All of a reply that says no more than that one is at it."""

_DID = _either(
    "put|placed|washed|cleaned|brought|opened|closed|shut|turned|switched|sliced|cut|cooked|toasted|boiled|made|filled",
    "emptied|poured|picked|got|taken|took|moved|thrown|dropped|found|finished|rinsed|cleared",
)
_SUCCESS = _either(
    "done|finished|completed|here you (?:are|go)|here (?:is|are) (?:the|your|a)|all set",
    rf"(?:i have|i've|i) (?:just )?(?:{_DID})",
    r"(?:is|are) (?:now|all) \w+",
)
CLAIM = re.compile(rf"\b(?:{_SUCCESS})\b")
"""Something is done."""
DENIAL = re.compile(r"\b(?:not|\w+n't|cannot|nothing|no|but|failed|unable|if|when|will)\b")
"""And this says that it is not, or not yet."""

WHAT_NEXT = re.compile(
    r"\b(?:next|anything else|what else|what now|can i help|may i help|what are we doing|the task)\b"
)
"""A question for another order, which is no question about this one."""

_HARDLY = "do not|don't|did not|didn't|cannot|can't|couldn't"
LOST = re.compile(rf"\b(?:know what you mean|what do you mean|(?:{_HARDLY}) (?:understand|follow|get (?:that|you)))\b")
"""Who says so has not understood, which answers nothing."""
