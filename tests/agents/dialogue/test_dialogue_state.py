"""How much a dialogue state keeps, so that a thought always has room for it."""

from __future__ import annotations

from teach_agents.agents.dialogue.agenda import Agenda
from teach_agents.agents.dialogue.dialogue_state import Changes, Deed, DialogueState, Rule, Told
from teach_agents.core.agents.thoughts import kept, state_told
from teach_agents.core.dialogue import Act, DialogueAct
from teach_agents.understanding.reader import LONGEST


def test_of_many_facts_the_oldest_are_forgotten_and_the_thought_is_kept_whole() -> None:
    state = DialogueState()
    changes = Changes(state)
    told = [Told(f"The {'vase ' * 100}number {number} is new.", number, "vase") for number in range(600)]
    for fact in told:
        state.know([fact])
    state.deeds = [Deed("wash(mug)", True, "The mug is clean now. " * 20)] * 30
    thought = kept({"state": changes.take()})
    assert "error" not in thought
    taken_up = DialogueState.taken_up(state_told([thought]) or {})
    assert taken_up.facts == state.facts
    assert state.facts == told[-len(state.facts) :] and 20 < len(state.facts) < 40


def test_the_size_of_facts_goes_by_what_they_take_in_a_file() -> None:
    state = DialogueState()
    for number in range(300):
        state.know([Told("\N{TEACUP WITHOUT HANDLE}" * 500 + str(number))])
    assert "error" not in kept({"state": state.to_json()})
    assert len(state.facts) == 7, "of 2,000 bytes each"


def test_one_fact_of_endless_words_is_kept_as_far_as_it_is_read() -> None:
    state = DialogueState()
    state.know([Told("so " * 40_000)])
    assert [len(fact.said) for fact in state.facts] == [LONGEST]


def test_what_is_told_again_in_the_same_words_is_one_fact_the_latest() -> None:
    state = DialogueState()
    state.know([Told("The keys are mine.", 1, "keys"), Told("The mug is dirty.", 2, "mug")])
    state.know([Told("The keys are mine.", 9, "keys")])
    assert [(fact.noun, fact.turn) for fact in state.facts] == [("mug", 2), ("keys", 9)]


def test_what_is_forbidden_again_is_one_rule_in_the_latest_words() -> None:
    state = DialogueState()
    state.forbid([Rule("open", ("fridge",), ("Fridge|1",), "Don't open the fridge.")])
    state.forbid([Rule("open", ("drawer",), (), "Nor the drawers.")])
    state.forbid([Rule("open", ("fridge",), ("Fridge|1",), "Never open the fridge!")])
    assert [rule.said for rule in state.rules] == ["Nor the drawers.", "Never open the fridge!"]


def test_orders_of_an_endless_text_are_kept_with_what_was_read_of_it() -> None:
    state = DialogueState()
    agenda = Agenda(state)
    agenda.first([DialogueAct(Act.ORDER, "turn_left")] * 40, "turn left and " * 8_000)
    assert {len(task.said) for task in state.queue} == {LONGEST}
    assert "error" not in kept({"state": state.to_json()})
    agenda.drop()
    assert agenda.go_on() and len(agenda.waiting) == 40
