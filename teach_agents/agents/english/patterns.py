"""The sentences of the controlled English, one table for speaking and understanding.

A pattern's words stand for themselves, `{what}` and `{where}` for noun phrases, `{prep}` for a preposition. The
first few patterns of each verb are spoken (a seed chooses), all of them are understood.
"""

from __future__ import annotations

from teach_agents.agents.english.values import ReportKind, Verb

SPOKEN = 3
"""How many of a verb's patterns are spoken, of those that fit; the others are paraphrases, understood as well."""

PREPOSITIONS = frozenset({"in", "on", "into", "onto", "inside", "at", "to"})
"""Words that bind a place."""

BARE: dict[Verb, tuple[str, ...]] = {Verb.FILL: ("fill {what}",)}
"""What is understood only where no other sentence fits: its noun phrase would take in the end of a longer one."""

SENTENCES: dict[Verb, tuple[str, ...]] = {
    Verb.FILL: ("fill {what} with water", "put water in {what}", "get water in {what}", "fill up {what}"),
    Verb.COFFEE: (
        "make coffee in {what}",
        "fill {what} with coffee",
        "prepare coffee in {what}",
        "brew coffee in {what}",
        "make coffee using {what}",
    ),
    Verb.WATER: ("water {what}", "give {what} some water", "pour water on {what}", "water {what} with {where}"),
    Verb.BOIL: ("boil {what}", "boil {what} in water", "cook {what} in boiling water", "boil {what} {prep} {where}"),
    Verb.CLEAR: (
        "take everything out of {what}",
        "clear {what}",
        "remove everything from {what}",
        "clear out {what}",
        "empty out {what}",
    ),
    Verb.LOOK: (
        "it is {prep} {where}",
        "you can find it {prep} {where}",
        "look {prep} {where}",
        "there is one {prep} {where}",
        "they are {prep} {where}",
    ),
    Verb.FINISH: (
        "that is all",
        "we are done",
        "the task is complete",
        "you are done",
        "nothing else",
        "that is everything",
        "done",
        "finished",
        "that is it",
        "task complete",
        "task is complete",
        "task is done",
        "all tasks complete",
        "all tasks are complete",
        "we have finished",
        "that will do",
        "that is enough",
        "you can stop",
        "stop",
    ),
    Verb.GIVE_UP: (
        "that is as far as we get",
        "nothing more can be done",
        "the rest can not be done",
    ),
    Verb.PUT: (
        "put {what} {prep} {where}",
        "place {what} {prep} {where}",
        "set {what} down {prep} {where}",
        "move {what} {prep} {where}",
        "leave {what} {prep} {where}",
        "bring {what} {prep} {where}",
        "take {what} {prep} {where}",
    ),
    Verb.PICK_UP: ("pick up {what}", "grab {what}", "get {what}", "pick {what} up", "take {what}", "hold {what}"),
    Verb.CLEAN: (
        "wash {what}",
        "clean {what}",
        "rinse {what}",
        "rinse {what} off",
        "clean {what} {prep} {where}",
        "wash {what} {prep} {where}",
        "rinse {what} {prep} {where}",
    ),
    Verb.SLICE: (
        "slice {what}",
        "cut {what} into slices",
        "slice {what} with the knife",
        "cut up {what}",
        "slice up {what}",
        "chop {what}",
        "crack {what}",
        "crack {what} open",
        "cut {what}",
        "cut {what} with the knife",
    ),
    Verb.COOK: (
        "cook {what}",
        "heat up {what}",
        "cook {what} until done",
        "cook {what} {prep} {where}",
        "microwave {what}",
        "fry {what}",
    ),
    Verb.TOAST: ("toast {what}", "make toast with {what}", "toast {what} {prep} {where}", "make toast from {what}"),
    Verb.EMPTY: ("empty {what}", "pour out {what}", "pour {what} out", "pour out {what} {prep} {where}"),
    Verb.TURN_ON: ("turn on {what}", "switch on {what}", "turn {what} on", "light {what}"),
    Verb.TURN_OFF: ("turn off {what}", "switch off {what}", "turn {what} off"),
    Verb.OPEN: ("open {what}", "open up {what}", "open {what} up"),
    Verb.CLOSE: ("close {what}", "shut {what}", "close {what} up"),
}
"""Sentences of each verb; the more particular verbs stand first, as order decides between readings."""

PREFIXES: tuple[str, ...] = ("", "Please ", "Next, please ", "Now ", "Could you ", "I need you to ", "Can you please ")
"""Openings of a spoken instruction."""

FILLERS: tuple[tuple[str, ...], ...] = tuple(
    tuple(phrase.split())
    for phrase in sorted(
        (
            "please",
            "now",
            "next",
            "then",
            "first",
            "finally",
            "lastly",
            "firstly",
            "try and",
            "also",
            "just",
            "great",
            "great job",
            "good",
            "good job",
            "well done",
            "nice",
            "perfect",
            "thanks",
            "thank you",
            "ok",
            "okay",
            "alright",
            "hello",
            "hi",
            "sure",
            "no problem",
            "can you",
            "could you",
            "would you",
            "will you",
            "i need you to",
            "i want you to",
            "i would like you to",
            "you need to",
            "you should",
            "you have to",
            "we need to",
            "we have to",
            "go ahead and",
            "go and",
            "let us",
            "today",
        ),
        key=len,
        reverse=True,
    )
)
"""Politeness and connectives, longest first; they carry no meaning and are skipped before and after a sentence."""

REPORTS: dict[ReportKind, tuple[str, ...]] = {
    ReportKind.ASK_TASK: (
        "what should i do today",
        "what are we doing today",
        "hi what is the task today",
        "how can i help today",
    ),
    ReportKind.ASK_NEXT: (
        "what should i do next",
        "what next",
        "what is next",
        "what should i do",
        "what do i do next",
        "anything else",
    ),
    ReportKind.DONE: ("done", "i did that", "that is done", "finished", "i have done that", "it is done"),
    ReportKind.NOT_FOUND: (
        "i can not find {what}",
        "where is {what}",
        "where can i find {what}",
        "i do not see {what}",
        "where are {what}",
    ),
    ReportKind.NOT_REACHED: ("i can not reach {what}", "i am not able to get to {what}", "i can not get {what}"),
    ReportKind.NO_ROOM: (
        "there is no room {prep} {what}",
        "nothing more fits {prep} {what}",
        "i can not find space {prep} {what}",
    ),
    ReportKind.FAILED: ("that did not work", "i was not able to do that", "i can not do that"),
    ReportKind.NOT_UNDERSTOOD: ("i did not understand that", "i do not know what you mean", "what do you mean"),
}
"""What the Follower says; order decides between readings."""
