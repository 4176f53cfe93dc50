"""Stop, wait, go on: what a person says to whoever acts that is carried out at once, read without a model.

English, however polite, shouted or hurried: "STOP!!!", "hey, stop it right now", "one moment please". What only begins
like it is none: "stop the water", "wait until it is done", "don't stop at the door".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.core.dialogue import Act

NOT_DONE = "this was not done: somebody said stop or wait before it began"
"""The message of the result that an agent is told of an action that was dropped."""

_LONGEST = 400
"""Characters of an utterance that are read; who says more gives no order to be carried out in a hurry."""
_TIME = r"(?:(?:a|one|two|three|five|ten|\d+|a few|a couple of|half a|just a|another) )?(?:little |quick |short )?"
_TIME += r"(?:secs?|seconds?|moments?|mo|minutes?|mins?|ticks?|sec or two|second or two)"
_WHILE = rf"(?:{_TIME}|(?:now )?(?:(?:a |just a )?(?:little )?(?:bit|while)))"
_VOCATIVES = (
    r"robot|buddy|bud|mate|pal|dear|dearie|darling|honey|sweetie|mister|sir|man|dude|bro|friend|kid|boy|girl|"
    r"my (?:dear|friend|love)|everybody|everyone|guys|you (?:there|two|guys)|alfred"
)
_CALLS = (
    r"hey|hi|hello|oi|oy|yo|eh|ok|okay|k|o k|alright|all right|right|righto|now|no|nope|oh|ooh|ah+|a+h+|ugh|argh|well|"
    r"so|and|but|hmm+|um|uh|er|yes|yeah|yep|sure|fine|good|great|listen|look|quick|quickly|actually|sorry|excuse me|"
    r"please|pls|plz|kindly|just|simply|then|god|jesus|damn|dammit|for (?:god|heaven|goodness|pete)s? sake|basta"
)
_ASKING = (
    r"(?:can|could|would|will) you|you (?:can|may)|would you mind|"
    r"do you mind|i (?:said|say|mean|meant|repeat)|i told you to|"
    r"i (?:want|need|would like) you to|you (?:must|should|have to|need to|had better|better)|you|be so kind and|"
    r"it is (?:ok|okay|alright|fine)|(?:that|it) is ok|be a (?:dear|sweetheart|darling) and|do not mind me"
)
_LEAD = re.compile(rf"(?:{_CALLS}|{_VOCATIVES}|{_ASKING}) ")
_TAIL = re.compile(
    rf" (?:{_VOCATIVES}|{_CALLS}|right (?:now|there|away|this second)|now|there|here|already|immediately|instantly|"
    r"at once|this (?:instant|second|minute)|thank you|thanks|cheers|will you|would you|could you|can you|"
    r"i mean it|i beg (?:you|of you)|for now|for me|again|lol|haha|with you|do you hear|you hear)"
)
_MARKS: dict[Act, re.Pattern[str]] = {
    Act.STOP: re.compile(
        r"(?:(?:wait|hold on) )?(?:no )*(?:stop (?:it (?=stop))?|stop$)+"
        r"(?:it|that|this|everything|all (?:of )?(?:it|that|this)|dead|"
        r"\w{2,}ing(?: (?!if |when |until |till ).*)?|(?:whatever|what) you are (?:doing|at)(?: and .*)?|"
        r"(?:right )?where you are|in your tracks|working|at once(?: and .*)?|(?:it|this|that|everything) and .*)?"
        r"|(?:emergency|full) stop|(?:halt ?)+(?:where you are)?|freeze(?: like .*)?"
        r"|(?:that (?:is|will be) )?(?:quite )?enough(?: of (?:that|this))?"
        r"|enough is enough|(?:that is )?far enough|(?:tools down|down tools|pens down)"
        r"|halt (?:right )?there(?: and .*)?|stop right there(?: .*)?|not another step"
        r"|no more of (?:that|this)|leave off|that can stop"
        r"|that is (?:plenty|it stop)|do not (?:move|budge|do (?:that|it|anything)|take another step)(?: a muscle)?"
        r"|(?:stand|keep|hold|stay) still|stay (?:right )?where you are|do not"
        r"|cut (?:it|that) out|knock (?:it|that) off(?: with .*)?|pack (?:it|that) in|lay off(?: .*)?"
        r"|quit(?: it| that| \w{2,}ing(?: .*)?)?|drop what you are doing(?: and .*)?"
        r"|cease(?: (?:and desist|that|this|it|all \w+|whatever it is you do|what you are doing))?|desist|abort|avast"
        r"|(?:w(?:hoa|oah|oa|ow?h) ?)+(?:there)?|hold it right there|hold everything"
        r"|.*\bjust stop(?: it| that)?|(?:stop ){2,}.*|stop (?:it |that |moving )?(?:please|pls|now) .*"
    ),
    Act.WAIT: re.compile(
        rf"(?:wait|pause|hold on|hang on|hold|hold up|hang about|hold it|hold hold it|stand by|stay|stay put|sit tight)"
        rf"(?: (?:on|up|wait|pause|stop))*(?: (?:there|here|put|right there|(?:right )?where you are))?"
        rf"(?: (?:for )?(?:me|{_WHILE}))?(?: (?:until|till) i (?:say so|tell you|am back|come back|get back|am ready|"
        r"return|am done))?"
        rf"|{_TIME}|(?:bear|stay) with me(?: {_TIME})?|give me {_TIME}(?: to think)?|stop for {_TIME}"
        r"|hold (?:your horses|that thought)|time out|(?:hold|hang) on (?:and )?let me (?:think|see)"
        r"|(?:let us )?take (?:five|a break|a pause|a breather)|stay (?:right )?where you are and do not do anything.*"
        r"|(?:do not|no) (?:go|move|start|begin|do it|do that|do anything) yet"
        r"|(?:stay|remain|wait|stand) (?:in )?(?:there|here) (?:until|till) i .*|no moving (?:until|till) i .*"
        r"|pause (?:what you are doing|the \w+ing.*)|wait a little(?: with (?:that|it))?|not yet(?: not yet)*"
        r"|put a pin in (?:it|that)|hang fire(?: .*)?|(?:put (?:it|that) )?on hold(?: for now)?"
        r"|hold your fire|hold off|you may rest|do not go anywhere|(?:stand|hold|keep) still (?:for )?"
        rf"{_WHILE}|(?:wait|hang on|hold on|stand (?:there|here|by)) while (?:i|we) .*"
    ),
    Act.RESUME: re.compile(
        r"(?:you (?:can|may) |can |let us |please |to )*(?:go on|continue|carry on|resume|proceed|"
        r"keep (?:going|at it|it up|on)|go ahead|unpause|move on|start again|"
        r"keep doing (?:it|that|this|what you (?:were|are) doing)|keep up the good work|move again|get on with it|"
        r"crack on|start up again|keep \w{3,}ing(?: (?:until|till) .*)?)"
        r"(?: (?:with (?:it|that|this|what(?:ever)?(?: it (?:is|was))? you (?:were|are) doing|your (?:work|task))|"
        r"(?:from )?where you (?:left off|stopped)|your (?:work|task)|doing (?:it|that|what you were doing)|working|"
        r"as before|with (?:the|your) .*|looking|searching|(?:until|till) .*))?"
        r"|as you were|on you go|back (?:to (?:it|work|what you were doing.*|\w{3,}ing)|at it)"
        r"|(?:pick|take) up where you left off|off you go|do not stop(?: now)?"
        r"|(?:ok|okay|ready|three) go|green light"
        r"|you (?:may|can) (?:go|start|begin|move) now|proceed as planned"
        r"|(?:carry on|continue) \w{3,}ing(?: .*)?|you can (?:carry on|continue)(?: .*)?"
        r"|start again from where you (?:were|stopped|left off)|keep on"
    ),
}
_HURRY = re.compile(
    r"\b(?:stop|quit|cease|no more|enough(?: of)?|do not|don'?t|less of)\b (?:\w+ ){0,2}?"
    r"(?:(?:dawdl|dilly[- ]?dally|dally|dither|loiter|lollygag|linger|faff|tarry)(?:e|ing)?\b"
    r"|(?:stall|slack|loaf|idl|delay)ing\b|drag(?:ging)? your (?:feet|heels)|wast(?:e|ing) (?:my |our |any )?time"
    r"|(?:stand|hang|sit|mess|muck|fool|loung|laz|monkey|wait|play)(?:e|ing)? (?:about|around)\b"
    r"|tak(?:e|ing) (?:all day|forever|ages|your (?:sweet )?time)|being (?:so )?slow)(?! (?:about |around )?with\b)"
)
_CHEER = re.compile(r"go (?:on|ahead)|off you go")
_SHORT = {"n't": " not", "'s": " is", "'re": " are", "'m": " am", "'ll": " will", "'d": " would", "'ve": " have"}
_LAZY = {
    "dont": "do not",
    "thats": "that is",
    "im": "i am",
    "youre": "you are",
    "cant": "can not",
    "stopp": "stop",
    "sotp": "stop",
    "stap": "stop",
    "stahp": "stop",
    "stoppit": "stop it",
    "pauze": "pause",
    "hodl": "hold",
    "minit": "minute",
    "goin": "going",
    "gowing": "going",
    "gonig": "going",
    "kep": "keep",
    "kepe": "keep",
    "cary": "carry",
    "carri": "carry",
    "contineu": "continue",
}
_LAZY |= {"stpo": "stop", "stp": "stop", "wiat": "wait", "waitt": "wait", "w8": "wait", "weight": "wait"}


def control_of(text: str, names: Sequence[str] = ()) -> Act | None:
    """Whether somebody says to stop, to wait or to go on, and so in what is said last; `None` for anything else.

    Takes microseconds. More may be said besides: "stop, put that down" is a stop. `names` are words, in lower case, by
    which who is spoken to may be called.
    """
    found: Act | None = None
    cheered = False
    said = text[:_LONGEST].lower()
    for name in names:
        said = said.replace(name, "robot")
    clauses = _clauses(said)
    for number, clause in enumerate(clauses):
        act = None if hurries(clause) else _control(clause)
        if act is Act.WAIT and (found is Act.STOP or number and found is None and not cheered):
            continue  # "go to the door, wait there" is no interruption
        if act is Act.RESUME and number + 1 < len(clauses) and _CHEER.fullmatch(clause):
            cheered = True
            continue  # "go on, open it" cheers somebody on to do another thing
        found = act or found
    return found


def hurries(text: str) -> bool:
    """Whether somebody wants no more than more haste: "quit dawdling", "stop wasting time"."""
    return _HURRY.search(text[:_LONGEST].lower().replace("\u2019", "'")) is not None


def _clauses(text: str) -> list[str]:
    """What is said between commas and full stops, spelled out, without those that are only called out."""
    plain = re.sub(r"([a-z])\1{2,}", r"\1", text.replace("\u2019", "'"))
    for short, full in _SHORT.items():
        plain = plain.replace(short, full)
    parts = re.split(r"[.,!?;:\n\u2026\u2014]+|\s[-\u2013]+\s", plain)
    words = (" ".join(_LAZY.get(word, word) for word in re.findall(r"\w+", part)) for part in parts)
    return [clause for clause in map(_bare, words) if clause]


def _bare(clause: str) -> str:
    """A clause without calls and courtesies around it; "" where there is nothing else."""
    before = ""
    while clause != before:
        before = clause
        lead = _LEAD.match(f"{clause} ")
        if lead and not _control(clause):
            clause = clause[lead.end() :]
    return clause


def _control(clause: str) -> Act | None:
    before = ""
    while clause != before:
        for act, marks in _MARKS.items():
            if marks.fullmatch(clause):
                return act
        before = clause
        tail = next((one for one in _TAIL.finditer(clause) if one.end() == len(clause)), None)
        if tail:
            clause = clause[: tail.start()]
    return None
