"""What a Follower keeps of what was said and done."""

from __future__ import annotations

from teach_agents.actions import Role
from teach_agents.agents.lm.plan import Plan
from teach_agents.observations import Utterance


def said(plan: Plan, *texts: str, speaker: Role = Role.COMMANDER) -> None:
    plan.hear([Utterance(speaker, text) for text in texts])


def test_a_plan_holds_the_request_its_steps_and_how_they_went() -> None:
    plan = Plan()
    said(plan, "Hi")
    said(plan, "What should I do?", speaker=Role.FOLLOWER)
    said(plan, "Wash the mug.")
    plan.begin("clean the mug")
    assert plan.to_json() == {"request": ["Wash the mug."], "steps": [], "doing": "clean the mug"}
    plan.end("no room: sink")
    steps = [{"step": "clean the mug", "outcome": "no room: sink"}]
    assert plan.to_json() == {"request": ["Wash the mug."], "steps": steps, "doing": ""}
    assert plan.requests == ["Wash the mug.", "Hi"]


def test_who_speaks_in_the_same_turn_has_not_heard_the_other() -> None:
    plan = Plan()
    plan.hear([Utterance(Role.COMMANDER, "And the cup."), Utterance(Role.FOLLOWER, "Done.")])
    assert [one.text for one in plan.entries] == ["Done.", "And the cup."]


def test_the_window_is_bounded_and_begins_alike_for_a_while() -> None:
    plan, beginnings = Plan(), []
    for number in range(40):
        said(plan, f"This is sentence number {number:02}.")
        shown = plan.window(400)
        assert sum(map(len, shown)) <= 400
        assert shown[-1] is plan.entries[-1]
        beginnings.append(shown[0].text)
    assert len(set(beginnings)) <= 40 / 3
    said(plan, "x" * 5000)
    assert len(plan.entries[-1].text) == 160
    assert plan.window(10) == plan.entries[-1:]
    assert Plan().window(10) == []
