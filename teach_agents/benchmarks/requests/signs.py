"""Phrases by which a reply is known to refuse, to admit ignorance, to put off and to claim success, as patterns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence


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

_NOW = r"(?: now| all| already| both| just| fully| completely| again| back)*"
_IS = rf"(?:\b(?:is|are|i am|i'm)|'s|'re){_NOW}"
_DEEDS: Mapping[str, str] = {
    "on": r"(?:turned|switched|flicked|flipped) (?:.* )?on",
    "off": r"(?:turned|switched|flicked|flipped) (?:.* )?off",
    "open": "opened",
    "closed": "closed|shut",
    "clean": "washed|cleaned|rinsed|scrubbed|wiped",
    "dirty": "dirtied|soiled",
    "sliced": "sliced|cut|chopped",
    "cooked": "cooked|toasted|fried|heated|warmed|baked|boiled",
    "boiled": "boiled|cooked",
    "filled": "filled|poured|made|brewed",
    "coffee": "made|brewed|filled|poured",
    "empty": "emptied|poured",
    "broken": "broken|broke|smashed",
    "in": "put|placed|moved|thrown|threw|dropped|left|set|laid|stored|returned|cleared|tidied|delivered|binned|hung",
    "held": r"picked|got|gotten|taken|took(?! (?:\w+ )?steps?)|brought|fetched|grabbed|collected|retrieved",
    "hand": "put|placed|dropped|set down|thrown|threw",
    "near": "gone|went|walked|came|arrived|reached|moved|come",
    "facing": "turned|faced|looked",
    "turned": "turned|spun|rotated",
    "moved": "moved|stepped|steps?|walked|went|gone",
    "looks": "looked|tilted|raised|lowered",
    "back": "back|returned",
}
_DID = _either(*_DEEDS.values())
DEEDS: Mapping[str, re.Pattern[str]] = {state: re.compile(rf"\b(?:{did})\b") for state, did in _DEEDS.items()}
"""What somebody says to have done who says that a state of conditions was brought about."""
_OWNED = r"the|an?|your|my|one|two|three|it|them|that|this|some|both|all"
STATES_TOLD: Sequence[tuple[re.Pattern[str], frozenset[str]]] = tuple(
    (re.compile(pattern), frozenset(states.split()))
    for pattern, states in (
        (rf"\b(?:i have|i've)(?: got)?{_NOW} (?:{_OWNED})\b(?! (?:problem|question|idea|look))", "held"),
        (r"\bholding (?!nothing)|\bhere (?:is|are|it is|they are)\b(?! nothing)|\bhere's\b", "held"),
        (rf"\b(?:i am|i'm){_NOW}(?: right)? (?:here|with you)\b", "near"),
        (rf"{_IS} (?:right )?(?:here|in my hands?)\b", "held"),
        (r"\bhands? (?:is|are) (?:now )?(?:empty|free)\b", "hand"),
        (r"\b(?:i am|i'm) back\b", "back near in"),
        (rf"\b(?:i am|i'm){_NOW}(?: right| standing)* (?:at|by|near|next|beside|in front|close|there)\b", "near"),
        (rf"\b(?:i am|i'm){_NOW} (?:looking|facing|turned)\b", "facing looks turned"),
        (rf"{_IS} on(?: now| already| again)?$", "on"),
        (rf"{_IS} off(?: now| already| again)?$", "off"),
        (rf"{_IS} open(?:ed)?\b", "open"),
        (rf"{_IS} (?:closed|shut)\b", "closed"),
        (rf"{_IS} (?:clean|cleaned|washed|rinsed|spotless)\b", "clean"),
        (rf"{_IS} dirty\b", "dirty"),
        (rf"{_IS} (?:sliced|cut|chopped)\b", "sliced"),
        (rf"{_IS} (?:cooked|toasted|fried|heated|warmed|warm|hot|baked)\b", "cooked"),
        (rf"{_IS} (?:boiled|boiling)\b", "boiled cooked"),
        (rf"{_IS} (?:filled|full)\b", "filled coffee"),
        (rf"{_IS} (?:emptied|empty)\b", "empty"),
        (rf"{_IS} broken\b", "broken"),
        (rf"{_IS} (?:in|on|inside|under|at|put|placed|thrown|moved|away|gone)\b", "in"),
    )
)
"""What somebody says to be so, and the states of conditions that come of it; the first that fits counts."""
DONE = re.compile(
    r"\b(?:done|finished|completed|accomplished|all set|taken care of)\b"
    rf"|^(?:there|here) you (?:are|go)\b|{_IS} ready\b"
)
"""That all is done, or a thing."""
DENIAL = re.compile(
    r"\b(?:not|\w+n't|cannot|nothing|no|none|never|failed|unable|if|when|once|until|before|unless|will|i'll|almost|nearly)\b"
)
"""What a clause has that says that something is not done, or not yet."""
MODAL = re.compile(
    r"\b(?:(?<!garbage )(?<!trash )(?<!the )can|could|would|i'd|shall|might|must"
    r"|(?:going|need|have|had|try|tried|trying|want|wanted|like|about|(?<!was )able) to)\b"
)
"""What a clause has that speaks of what may be."""
REPORTED = re.compile(r"\b(?:you|they|he|she) (?:said|told|asked|wanted|have said|think|mean)\b")
"""Somebody else's words."""
_STARTS = _either(
    r"i\b|i'|it\b|it's|they |that |this |there|here|nothing|none|no |not |you |we |now |also |so |then ",
    r"(?:the|a|your|my|both|all|every\w*|\w+) (?:\w+ ){0,3}?(?:is|are|was|were|has|have)\b",
    rf"could|can|cannot|can't|did|didn't|found|will|(?:{_DID})\b",
)
CLAUSE = re.compile(
    r"[\s,]+(?:but|though|although|because|however|while|since|yet|as)\b[\s,]*"
    rf"|,\s*(?:(?:and|then|so)\s+)*(?={_STARTS})|\s+(?:and|then|so)\s+(?:then\s+)?(?={_STARTS})|!|\.\s*$",
    re.IGNORECASE,
)
"""Between clauses of a sentence."""
EXCEPT = re.compile(r"\b(?:except(?: for| that)?|apart from|other than|all but|without)\b")
"""Before what something is not true of."""
PLACE = re.compile(r"(?<!turned )(?<!switched )\b(?:in|into|inside|on|onto|to|under|by|at|with|near|next|beside)\b")
"""Before where something is or comes."""

WHAT_NEXT = re.compile(
    r"\b(?:next|anything else|what else|what now|can i help|may i help|what are we doing|the task)\b"
    r"|\bwhat (?:else )?(?:should|shall|can) i do(?: now| today| then| instead| for you)*$"
)
"""A question for another order, which is no question about this one."""

_HARDLY = "do not|don't|did not|didn't|cannot|can't|couldn't"
LOST = re.compile(rf"\b(?:know what you mean|what do you mean|(?:{_HARDLY}) (?:understand|follow|get (?:that|you)))\b")
"""Who says so has not understood, which answers nothing."""
