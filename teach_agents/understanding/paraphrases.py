"""Constructions of English that mean a plain order for certain, as that order is usually said.

What readers were shown few of, or none, they read by its commoner words: "the fridge is where I want the tomato" as
being about what is in the fridge. Here the words stay as they are but for the construction.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from teach_agents.understanding.conditional_choices import with_conditions
from teach_agents.understanding.english.lexicon import is_known, match_noun, preposition
from teach_agents.understanding.noun_phrases import is_known as is_thing
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.oversights import OVERSIGHTS
from teach_agents.understanding.plain_names import BEHIND, END, NAMED, OPPOSITES, THING
from teach_agents.understanding.tokens import tokens
from teach_agents.understanding.water_phrases import WATER

_NOT_WANT = (
    r"(?:(?:i|we) (?:really |just )?(?:do not|don'?t|no longer|would rather not|'?d rather not)|nobody|no one)"
    r" (?:wants?|needs?|likes?|have) (?P<x>{thing}) |there(?:'s| is) no (?:more )?(?:need|reason) for (?P<z>{thing}) "
)
_RUNNING = r"(?:on|running|going|playing|burning|blaring|lit|switched on|turned on)"
_PLACED = r"(?:next to|beside|by|near|close to|in front of|right next to)"
_NO_NEED = (
    r"(?:(?:does not|doesn'?t|do not|don'?t) (?:need|have)(?: to)?|needn'?t|need not"
    r"|no longer (?:needs?|has|have)(?: to)?)"
)
_DO = (
    r"(?P<do>(?<!not )(?<!n't )(?<!never )(?<!without )(?:put|place|set|lay|leave|stick|pop|drop|throw|chuck|toss|bin"
    r"|dump|wash|clean|rinse|give|hand|pass|bring|show|move|take|get rid of)"
    r"(?: (?:me|us|down|away|back|out|over))*)"
)
_WHAT = r"(?:what(?:ever)?|anything|everything|(?:the|that) (?:thing|object|item|stuff))(?: that| which)?"
_YOU_HOLD = (
    r"(?:you(?:'re| are)?(?: (?:currently|now|already|just|still))* (?:holding|carrying)(?: in your (?:\w+ )?hands?)?"
    r"|you(?:'ve| have| got|'ve got| have got)(?: (?:currently|now|already|just|still))* in your (?:\w+ )?hands?"
    r"|(?:is|'s)(?: (?:currently|now|already|still))* in your (?:\w+ )?hands?)(?: right now| now| there)?"
)
_MERELY = (
    r"(?<!did you )(?<!have you )(?<!could i )(?<!can i )(?<!want to )(?<!like to )(?<!wanted to )(?<!\bi )(?<!i'll )"
    r"(?<!we )(?<!let me )(?<!did i )"
)
"""Not of who has checked, or checks, or asks no more than that."""
_STATE = (
    r"(?:shut|closed|open|off|on|running|clean|locked|(?:turned|switched) (?:off|on)|made|empty)"
    r"(?! (?:the|a|an|my|our|your|top)\b)"
)
_ONLY_ONCE = r"(?P<when>after|from|once(?! an?\b| in\b)|when|as soon as) (?=[\w'])"
_DONE = {"running": "turn on", "used": "use", "touched": "touch", "opened": "open", "moved": "move"}
_ORDERS = (
    r"(?:put|place|take|pick up|throw|bring|get|fetch|grab|wash|rinse|clean|close|shut|open|move|go|turn|switch|slice"
    r"|cut|cook|make|fill|find|give|hand|pass|look|come|step)"
)
_SEARCHED = "dig|fish|root|ferret|rummage|hunt|seek|pull|whip|winkle"


def _with_lid(found: re.Match[str]) -> str:
    """ "Get the lid down on the toilet": "close the toilet"; "don't leave the seat up" is to shut it, too."""
    down = (found["way"] or found["first"] or "").lower() == "down"
    keeps = (found["do"] or "").lower() in ("leave", "keep", "have", "let")
    never = found["neg"] or ""
    down, never = (not down, "") if never and keeps else (down, never)
    thing = found["y"] or f"the {found['of'] or ('toilet' if found['x'].lower() == 'seat' else 'lid')}"
    return " ".join(f"{never}{'close' if down else 'open'} {thing}".split())


def _put_there(found: re.Match[str]) -> str:
    """ "The sofa is where I want it": "put it on the sofa"."""
    return f"put {found['x']} {_relation(found['y'])} {found['y']}"


def _relation(place: str) -> str:
    words = tuple(tokens(place))
    found = (match_noun(words, at) for at in range(len(words)))
    return preposition(next((one[0] for one in found if one is not None and is_known(one[0])), ""))


def _cooled(found: re.Match[str]) -> str:
    """ "Chilling the wine": "putting the wine in the fridge"."""
    return f"{'putting' if found['do'].lower().endswith('ing') else 'put'} {found['x']} in the fridge"


def _let_in(found: re.Match[str]) -> str:
    """ "Let some light in": "open the blinds"."""
    if " in" not in found[0]:
        return found[0]
    return f"{'opening' if found['ing'] else 'open'} the blinds"


def _washed(found: re.Match[str]) -> str:
    """ "Was the mug", of which nothing is told or asked: "wash the mug"."""
    thing = noun_phrase(found["x"].lower())
    return f"{found['lead']}wash {found['x']}" if thing is not None and is_thing(thing) else found[0]


def _made_sure(found: re.Match[str]) -> str:
    """ "Check that the fridge isn't open": "make sure the fridge is closed"."""
    verb, state = found["is"].lower(), found["y"].lower().split()
    denied = verb.endswith(("n't", "not"))
    if denied and state[-1] not in OPPOSITES:
        return found[0]
    said = OPPOSITES[state[-1]] if denied else found["y"].strip()
    verb = re.sub("n't| not", "", found["is"])
    return f"make sure {found['x']}{verb} {said}"


def _only_then(found: re.Match[str]) -> str:
    """ "The TV may only be on after six": "do not turn on the TV before six"."""
    said = found["do"].lower()
    verb = _DONE.get(said, "turn on" if said.endswith("on") else said)
    return f"do not {verb} {found['x']} {'before' if found['when'].lower() in ('after', 'from') else 'until'} "


_REWORDED: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (
        r"(?:repeat|print|copy|output|show|display|say) (?:me )?(?:everything|all|anything|the (?:words|text|lines))"
        r"(?: (?:that (?:is|was)|written|said))? (?:above|before this)\b[^.!?;]*",
        "say that again",
    ),
    (
        r"(?P<role>on|in|inside) (?P<y>(?:the|my|our|that|this)(?: [\w'-]+){1,2}?),?"
        rf" (?P<but>besides?|apart from|aside from|other than|except(?: for)?|next to) (?P<x>{NAMED}),?"
        r" there(?:'s| is| are|'ll be| (?:should|must|ought to|has to|may|might|could) be)(?: also| still)*"
        r" (?:one more|another|one other|a second|something else|some other)(?: (?:thing|object|item))?",
        lambda found: f"there is something {found['role'].lower()} {found['y']} besides {found['x']}",
    ),
    (
        rf"(?<![\w,;] )(?:except(?: for)?|apart from|other than|aside from) (?P<x>{NAMED}),? "
        r"(?P<rest>(?:please |you can |i want )?[a-z]+ [^.!?;]{0,120}?\b(?:every|all|any)[^.!?;]{0,80})",
        r"\g<rest> except \g<x>",
    ),
    (
        r"(?P<y>(?:the|my|our|that|this)(?: [a-z'-]+?){1,3})(?:'s| is) (?:just |exactly )?where (?:i|we)(?:'d| would)?"
        rf" (?:really |actually )?(?:want|like|need|prefer)(?: to (?:have|see))? (?P<x>{THING})"
        rf"(?: (?:to be|to go|put|kept))?{END}",
        _put_there,
    ),
    (
        rf"so (?:that )?(?P<x>{THING}) (?:should|ought to|must|has to|have to|needs? to) (?:really )?be"
        r" (?:lying |sitting |standing |waiting |resting |kept )?(?P<role>in|on|next to|beside) (?=the |my |our |its )",
        r"so put \g<x> \g<role> ",
    ),
    (
        rf"(?:{_NOT_WANT.format(thing=THING)})(?:to (?:be|keep|stay) )?{_RUNNING} (?:any ?more|any longer)",
        lambda found: f"turn {found['x'] or found['z']} off",
    ),
    (
        rf"(?P<x>{THING}) {_NO_NEED} (?:be|stay|keep|remain) {_RUNNING}(?: (?:any ?more|any longer|now))?{END}",
        r"turn \g<x> off",
    ),
    (
        rf"(?P<x>{THING}) {_NO_NEED} (?:be|stay|remain) in your hands?(?: (?:any ?more|any longer))?{END}",
        r"put \g<x> down",
    ),
    (
        r"(?:leave|drop|put) (?P<x>it|that|this) wherever (?:there(?:'s| is) (?:some )?(?:room|space)|it fits)",
        r"put \g<x> down",
    ),
    (
        rf"(?:look for|find|locate|hunt for|search for) (?P<x>{NAMED}),? (?:and|then|and then)"
        rf" (?:stop|stand|stay|wait|park yourself|go|come to rest|come to a stop)"
        rf" (?:right |just )?(?:{_PLACED}|up to|to) (?:it|that|them){END}",
        r"go to \g<x>",
    ),
    (
        rf"(?:circle|(?:do|make|take|walk|run|drive) (?:a|one|another) (?:full )?(?:lap|circuit|loop|tour|circle|round)"
        rf" (?:of|a?round)) (?P<x>{NAMED})(?: once)?{END}",
        r"walk around \g<x>",
    ),
    (rf"(?:off|away|over|back) to (?P<x>{THING}) with you(?: now| then)?(?=\W*$|[,.;!])", r"go to \g<x>"),
    (
        r"(?:do|see to|sort out) (?P<x>(?:the|my|that|this)(?: other)?(?: [\w'-]+){1,2}?)"
        r"(?: too| as well| also| now| next)?,? (?:just like (?:that(?: one)?|before)|as before|likewise"
        r"|like (?:you did )?the (?:other|last|first)(?: one)?|(?:in )?(?:exactly |just )?the same (?:way|manner))"
        r"(?=\W*$|[,.;!])",
        r"do the same with \g<x>",
    ),
    (
        r"(?:(?:swing|spin|wheel|swivel|pivot|turn) (?:a?round|about|yourself)|turn) (?:so|until|till) (?:that )?"
        rf"(?P<x>{NAMED})(?:'s| is) (?:right |straight |directly )?(?:in front of|before|ahead of) you",
        r"turn to face \g<x>",
    ),
    (
        rf"(?:walk|go|move|do|travel|cover|finish|come) the (?:rest|remainder) of the (?:way|distance|walk|trip){END}",
        "carry on",
    ),
    (
        r"(?P<do>turn|rotate|spin|look|face|step|move|go) (?P<to>to (?:the|your) )?(?P<x>left|right|up|down)"
        r"(?P<and>(?: and)? then |, ?(?:and )?(?:then )?|,? and )(?=(?:to (?:the|your) )?(?:left|right|up|down)\b)",
        r"\g<do> \g<x>\g<and>\g<do> ",
    ),
    (
        rf"(?P<do>look|glance|peek) (?P<x>(?:up|down|at {THING}))(?P<and>(?:,? and)? then |,? and )(?=at |down\b|up\b)",
        r"\g<do> \g<x>\g<and>\g<do> ",
    ),
    (
        r"(?:don'?t|do not) (?P<do>turn|step|look|move|go|walk|face) (?:to (?:the|your) )?(?:left|right|up|down"
        r"|back|forwards?|backwards?|a?round)[-,.;: ]+(?:(?:but|just|instead|rather) )*(?=(?P=do) )",
        "",
    ),
    (rf"(?P<x>{THING}) (?:needs|wants) (?P<do>eat|drink)ing{END}", r"\g<do> \g<x>"),
    (
        r"(?P<x>(?:the|that|this)(?: other)?(?: [\w'-]+){1,2}?|the others?) (?:can|may|might|could|should)"
        r"(?: (?:just|as well|also))* join (?:it|them|that one)(?: (?:there|too|as well))?",
        r"do the same with \g<x>",
    ),
    (
        rf"(?<!in )(?<!on )(?<!to )(?<!not ){NAMED}\s*(?:,|\.\.+|\u2026|-+)\s*(?:(?:er+m?|um+|uh+|oh|oops|well)\W+)*"
        r"(?:(?:no|wait|sorry|actually|i mean|i meant|or rather|make (?:that|it)|hang on|hold on)\W+)+"
        rf"(?P<x>{NAMED})(?= (?:in|on|into|onto|to|back|from|next|away|off)\b|,? (?:and|then) [a-z]+ (?:it|them)\b"
        r"|(?:,? (?:please|instead|rather))?[.! ]*$)",
        r"\g<x>",
    ),
    (
        r"(?<=\A)[^.!?;]{6,120}?[-,.!?;\s\u2026]+(?:(?:hm+|oh|er+m?|um+|sorry|ah)\W+)*"
        r"(?:on second thoughts?|(?:scratch|scrap|strike|forget|ignore) that|i(?:'ve| have)? changed my mind"
        r"|(?:actually\W+)?no\W+(?:hang on|hold on|wait|actually)|(?:wait|actually|hang on|hold on)\W+no)\W+"
        rf"(?=(?:(?:please|rather|just|can you|could you) )*{_ORDERS} (?!it\b|them\b|that\b))",
        "",
    ),
    (
        rf"(?:{_MERELY}(?:double[- ]?)?check (?:to make sure )?|make sure )(?:that )?"
        rf"(?P<x>{NAMED})(?P<is>(?:'s| is| are)(?:n't| not)?)"
        rf"(?P<y>(?: (?:definitely|really|properly|all))* {_STATE}){END}",
        _made_sure,
    ),
    (
        r"(?P<neg>(?:do not |don'?t |never |not )(?:ever |just )?)?(?:(?P<do>get|put|leave|pull|flip|push|bring|keep"
        r"|have|set|pop|take|let|lift|lower|raise|move)(?: (?P<first>up|down))? (?:the|that|my|our)"
        r"|(?:(?<=\A)|(?<=please ))(?:the )?)"
        r" ?(?:(?P<of>toilet|loo|box|laptop|bin)(?:'s)? )?(?P<x>lid|seat)"
        r"(?(first)|(?: (?:to be|stay|all the way|right|back))* (?P<way>up|down))"
        r"(?: (?:on|of|for|to) (?P<y>(?:the|my|our|that) (?:toilet|loo|box|laptop|bin)))?"
        rf"(?=\s*(?:[,.;:!?)]|$)|\s+(?:{BEHIND.replace(' in on from', '').replace(' ', '|')}|again)\b)",
        _with_lid,
    ),
    (
        rf"(?:do (?:we|you|i) (?:still )?have|(?:have|'ve) (?:we|you|i) (?:still )?got) (?P<x>{NAMED})"
        r" (?P<y>on|off|open|closed|shut|running)"
        r"(?=(?: (?:at the moment|right now|now|still|currently|today))*\s*\?)",
        r"is \g<x> \g<y>",
    ),
    (
        r"(?<!me )(?<!know )(?<!see )(?<!ask )(?<!check )(?:,? ?but )?(?:only )?(?:if|in case|as long as)"
        r" (?:you(?:'re| are)|it(?:'s| is)|that(?:'s| is)) (?:allowed|permitted)(?: to)?"
        rf"(?: do (?:it|that|so))?(?:,|{END})",
        "",
    ),
    (r"see (?:to it )?that (?=(?:the|my|our|all|every|everything|both|nothing|no)\b)", "make sure that "),
    (rf"i no longer want (?P<x>{THING}) (?:to (?:be|keep|stay) )?{_RUNNING}", r"turn \g<x> off"),
    (
        r"if (?:i|you|we|someone|somebody) (?:were to )?(?:take|took|had|have|drink|drank|sip|sipped)"
        r"(?: (?:a )?(?:sip|drink|gulp|swig|mouthful))? (?:from|out of) (?P<x>(?:the|my|our|that|this) [a-z ]+?)"
        r"(?: now)?,? would (?:i|you|we|they|it) (?:be (?:drinking|having|tasting)|get|taste(?: of)?) (?P<y>[a-z]+)",
        r"is there \g<y> in \g<x>",
    ),
    (
        r"if (?:i|you|we|someone|somebody) (?:were to )?(?:went|go|looked|look|opened|open|peeked|peek|checked|check)"
        r"(?: (?:to|in|into|inside|at|up))? (?P<x>(?:the|my|our|that|this) [a-z]+?"
        r"(?: (?!now\b|right\b|what\b)[a-z]+?)?)(?: (?:right )?now)?,? "
        r"what(?P<y> [a-z]+)? (?:would|might|will|could) (?:i|you|we|they|there) (?:find|see|be|discover|come across)"
        r"(?: (?:there|in there|inside|in it))?",
        lambda found: f"what{found['y'] or ''} is in {found['x']}",
    ),
    (
        r"(?:i (?:can )?see|i(?:'ve| have)? noticed?|i saw) (?:that )?(?P<x>(?:the|my|our|that) [a-z]+(?: [a-z]+)??)"
        r"(?:'s| is| are)? (?:still |just )?(?:standing|sitting|lying|hanging|left|wide)? ?"
        r"(?P<y>open|on|shut|closed|running)"
        r"(?:,| \W| -|\.)? ?(?:so )?(?:what(?:'s| is) (?:the story|the reason|that about|up with that|that all about)"
        r"|how come|why(?: is that| so)?)(?: (?:there|with that|behind that|here))?(?=\W*$)",
        r"why is \g<x> \g<y>",
    ),
    (
        r"would you say (?:that )?(?P<x>(?:the|my|our|that|this) (?:[a-z]+ ){0,2}?beds?) (?:looks?|is|are)"
        r"(?: been)? (?:done|made|neat|tidy)\b(?:, with the (?:covers|sheets|blankets|duvet) [a-z ]+)?",
        r"is \g<x> made",
    ),
    (
        r"what (?:was (?:that|it) )?(?:were you|you were|have you been|you've been) (?:up to|doing|busy with)"
        r"(?: (?:just now|(?:just )?(?:a|one) (?:second|moment|minute) ago|earlier|before))",
        "what did you just do",
    ),
    (
        rf"(?P<lead>\A(?:please |pls |plz |now )?)was (?P<x>{NAMED})(?=,?(?: (?:please|pls|plz|now))?\W*\Z(?<!\?))",
        _washed,
    ),
    (
        rf"none of (?P<x>{THING}) (?:should|must|ought to|is to|are to|needs? to) be (?:left )?(?:wide )?"
        r"(?P<y>open|on|running)(?=\W*(?:$|[,.;!]|please|pls|thanks))",
        lambda found: f"close {found['x']}" if found["y"].lower() == "open" else f"turn {found['x']} off",
    ),
    (
        rf"nothing (?:should|must|ought to|may|is to) be left (?P<y>in|inside|on) (?P<x>{THING}){END}",
        lambda found: f"{'clear' if found['y'].lower() == 'on' else 'empty'} {found['x']}",
    ),
    (
        rf"(?P<do>(?:put|place|set|return|pop|stick|move|lay|tidy|take|bring)(?:t?ing)?)(?: back)?"
        rf" (?P<x>{THING}|it|them)"
        r"(?: away| back)? (?:in|into|to|on|at) (?P<its>its|their)"
        rf"(?: (?:own|right|proper|usual|normal|rightful|correct|regular))* (?:place|home|spot)s?{END}",
        lambda found: f"{found['do']} {found['x']} where {'it belongs' if found['its'] == 'its' else 'they belong'}",
    ),
    (
        rf"(?P<do>(?:put|place|set|return|pop|stick|move|lay|tidy|take|bring)(?:t?ing)?)(?: back)?"
        rf" (?P<x>{THING})(?: away| back)? (?:to )?where (?P<its>it|they|i|we)(?: (?:always|usually|normally|really))*"
        r" (?:goes|go|lives?|(?:keep|put|store)s? (?:it|them)|(?:is|are) (?:kept|stored)"
        rf"|(?:has|have) (?:its|their) (?:place|home)){END}",
        lambda found: f"{found['do']} {found['x']} where {'they belong' if 'the' in found['its'] else 'it belongs'}",
    ),
    (rf"hang (?P<x>{THING}) up{END}(?! (?:on|in)\b)", r"hang \g<x> back up"),
    (rf"hang up (?P<x>{NAMED}){END}(?! (?:on|in)\b)", r"hang \g<x> back up"),
    (
        rf"(?P<do>(?:put|stick|pop|place|set|stand|shove|bung)(?:t?ing)?) (?P<x>{THING})"
        r" (?:under|underneath|below|beneath) (?:the|our|that) (?P<y>tap|faucet|coffee (?:machine|maker))\b(?! and\b)",
        lambda found: f"{found['do']} {found['x']} in the {found['y'] if ' ' in found['y'] else 'sink'}",
    ),
    (
        r"let(?P<ing>ting)? (?:in )?(?:some|the|a (?:little )?bit of|a little|more) (?:natural )?"
        rf"(?:(?:sun|day)?light|sun(?:shine)?)(?: in)?{END}",
        _let_in,
    ),
    (
        r"(?P<all>(?:all|any|every|other|the rest of)(?: (?:the|of the|other|of))*) fruits? (?:and|&|or)"
        r" veg(?:etables|gies|s)?\b",
        r"\g<all> produce",
    ),
    (
        rf"(?P<x>{THING}) (?:may|can|must|should|is to|are to) only be (?P<do>on|running|turned on|switched on|used"
        rf"|touched|opened|moved) {_ONLY_ONCE}",
        _only_then,
    ),
    (
        rf"you (?:may|can|must|should|are to) only (?P<do>turn on|switch on|use|touch|open|move) (?P<x>{THING})"
        rf" {_ONLY_ONCE}",
        _only_then,
    ),
    (rf"{_DO} {_WHAT} {_YOU_HOLD}", r"\g<do> the thing in your hand"),
    (rf"{_WHAT}(?: {_YOU_HOLD}|'s in your hands?) (?=goes |belongs |should go |can go )", "the thing in your hand "),
    (
        r"(?:tidy|clean|straighten)(?: things| the place| everything)? up(?:,? (?:a (?:little )?bit|a little|some"
        r"|please|(?:round |around )?here|for me))*(?: ?[:,;.!-]+| and) (?=(?:please )?(?:put|place|take|pick|throw"
        r"|bring|wash|close|shut|move|stick|pop|hang|switch|turn|get)\b)",
        "",
    ),
    (rf"(?P<do>{_SEARCHED})(?P<ing>[gp]?ing)? out (?P<x>{NAMED}){END}", "get"),
    (rf"(?P<do>{_SEARCHED})(?P<ing>[gp]?ing)? (?P<x>{NAMED}) out{END}(?! of\b)", "get"),
    (
        rf"(?P<do>refri(?:d)?gerat(?:e|ing)|chill(?:ing)?) (?P<x>{THING})(?: down)?"
        rf"(?: (?:in|inside) (?:the|my|our) fridge)?{END}",
        _cooled,
    ),
)


def reworded(text: str) -> str:
    """A text with such constructions in the usual words."""
    for pattern, usual in _patterns():
        text = pattern.sub(usual, text)
    return with_conditions(text)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]:
    return tuple(
        (re.compile(rf"(?<![\w'-]){one}", re.IGNORECASE), _brought if usual == "get" else usual)
        for one, usual in (*OVERSIGHTS, *_REWORDED, *WATER)
    )


def _brought(found: re.Match[str]) -> str:
    """ "Digging out the remote": "getting the remote"."""
    said = found["do"]
    verb = "getting" if found["ing"] else "get"
    return f"{verb.capitalize() if said[0].isupper() else verb} {found['x']}"
