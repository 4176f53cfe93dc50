"""A baseline that reads no sentences: the first verb that it knows with the nouns that it knows, carried out by skills.

`--agent follower=teach_agents.benchmarks.requests.baseline:KeywordFollower`
"""

from __future__ import annotations

import re

from teach_agents.actions import Action, Role
from teach_agents.agents.acting.body import Body, SkillError, Steps
from teach_agents.agents.acting.performing import perform
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.observations import Observation, Privilege
from teach_agents.understanding.english.lexicon import is_known, match_noun
from teach_agents.understanding.english.values import Instruction, Reference, Verb

_VERBS = {
    **dict.fromkeys(("get", "bring", "fetch", "hand", "take", "pick", "grab", "give", "hold"), Verb.PICK_UP),
    **dict.fromkeys(("put", "place", "move", "lay", "drop", "throw"), Verb.PUT),
    **dict.fromkeys(("wash", "clean", "rinse"), Verb.CLEAN),
    **dict.fromkeys(("slice", "cut", "chop"), Verb.SLICE),
    **dict.fromkeys(("cook", "fry", "heat", "warm"), Verb.COOK),
    **{"toast": Verb.TOAST, "boil": Verb.BOIL, "fill": Verb.FILL, "empty": Verb.EMPTY, "pour": Verb.EMPTY},
    **{"open": Verb.OPEN, "close": Verb.CLOSE, "shut": Verb.CLOSE, "on": Verb.TURN_ON, "off": Verb.TURN_OFF},
}
_MOTIONS = {"left": "Turn Left", "right": "Turn Right", "forward": "Forward", "back": "Backward"}
_ALIASES = {"Light": "LightSwitch"}


class KeywordFollower(Agent):
    """Knows everything of the room, as the planner does, and next to nothing of language."""

    privileges = frozenset({Privilege.SEGMENTATION, Privilege.DEPTH, Privilege.OBJECTS, Privilege.REACHABLE})

    def begin(self, briefing: Briefing) -> None:
        """A session begins; forget the last one."""
        self._body = Body()
        self._life = self._live()

    def act(self, observation: Observation) -> Action:
        """The next action of what it took the last utterance for."""
        self._body.see(observation)
        return next(self._life)

    def _live(self) -> Steps:
        heard = 0
        while True:
            for said in self._body.observation.dialogue[heard:]:
                heard += 1
                if said.speaker is Role.COMMANDER:
                    yield from self._answer(re.findall(r"[a-z]+", said.text.lower()))
            yield Action.wait()

    def _answer(self, words: list[str]) -> Steps:
        verb = next((_VERBS[word] for word in words if word in _VERBS), None)
        nouns = [Reference(name, 1, True) for name in _nouns(tuple(words))]
        if verb is None or not nouns:
            motion = next((_MOTIONS[word] for word in words if word in _MOTIONS), None)
            yield Action(motion) if motion else Action.say("I do not understand.")
            return
        try:
            yield from perform(self._body, Instruction(verb, nouns[0], nouns[1] if nouns[1:] else None))
        except SkillError:
            yield Action.say("I could not do that.")
        else:
            yield Action.say("Done.")


def _nouns(words: tuple[str, ...]) -> list[str]:
    """The names of things in words, in order."""
    found: list[str] = []
    start = 0
    while start < len(words):
        known = match_noun(words, start)
        start = known[2] if known is not None and is_known(known[0]) else start + 1
        if known is not None and is_known(known[0]):
            found.append(_ALIASES.get(known[0], known[0]))
    return found
