"""Runs as data for others: steps, conversations and decisions for fine-tuning, a folder for Hugging Face's `datasets`.

All of it is JSON lines made from `episodes`, so that it is the same for all of TEACh's benchmarks. Pictures are left
out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from teach_agents_prompts import render

from teach_agents.actions import ROLE_ACTIONS, Action, ActionResult, Role
from teach_agents.benchmarks.episodes import Episode, Step, read_episode
from teach_agents.core.agents.thoughts import is_decision, read_as
from teach_agents.core.benchmark.exporting import Exports, hub_card
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.observations import Utterance

_NOTHING = {"name": "", "x": None, "y": None, "query": ""}
_ANGLES = ("yaw", "horizon", "standing")


def _about(episode: Episode) -> JsonObject:
    """What every row says of its episode."""
    outcome = episode.outcome
    return {
        "benchmark": episode.benchmark,
        "instance_id": outcome.instance_id,
        "task_name": outcome.task_name,
        "task_params": list(episode.task_params),
        "room": outcome.cluster,
        "simulator": episode.simulator,
        "status": outcome.status,
        "success": outcome.success,
    }


def _of_step(episode: Episode, step: Step) -> JsonObject:
    return {
        **_about(episode),
        "step": step.number,
        "role": step.role,
        "agent": episode.agents[step.role],
    }


def step_rows(episode: Episode) -> Iterator[JsonObject]:
    """One row per step and role: the observation, the message that was said, with how it was read and labelled, the
    action, what came of it."""
    found = episode.readings
    for step in episode.steps:
        action = step.action
        yield {
            **_of_step(episode, step),
            "observation": {
                "pose": step.pose.position._asdict() | {name: getattr(step.pose, name) for name in _ANGLES},
                "heard": _spoken(step.heard),
                "last_action": _text(step.last_action),
                "last_result": _text(step.last_result),
            },
            "message": action.utterance if action is not None and action.name == "Text" else "",
            "dialogue_acts": list(step.dialogue_acts),
            "read": read_as(found.get(step.utterance) if step.utterance is not None else None),
            "action": {"name": action.name, "x": action.x, "y": action.y, "query": action.query}
            if action
            else _NOTHING,
            "result": {
                "success": step.result.success,
                "message": step.result.message,
                "object_id": step.result.object_id or "",
                "reply": "" if step.result.reply is None else json.dumps(step.result.reply),
            },
            "thought": "" if step.thought is None else json.dumps(step.thought),
        }


def _spoken(said: Iterable[Utterance]) -> list[dict[str, str]]:
    return [{"speaker": str(one.speaker), "text": one.text} for one in said]


def _text(value: Action | ActionResult | None) -> str:
    """JSON in a text, so that a column has one type whatever is in it; "" for none."""
    return "" if value is None else json.dumps(value.to_json())


def chat_rows(episode: Episode) -> Iterator[JsonObject]:
    """One row per role: the episode as a conversation with a model that plays it, answers as JSON actions."""
    for role, agent in episode.agents.items():
        own = [step for step in episode.steps if step.role is role]
        if own:
            system = {"role": "system", "content": render(f"{role}_system", actions=ROLE_ACTIONS[role])}
            turns = [message for step in own for message in _turn(step)]
            yield {**_about(episode), "role": role, "agent": agent, "messages": [system, *turns]}


def _turn(step: Step) -> tuple[dict[str, str], dict[str, str]]:
    """What a role is told before a step, and what it answered; what was no action is answered by nothing."""
    outcome = reply = ""
    if step.last_result is not None:
        what = step.last_action.name if step.last_action else "that"
        found = "success" if step.last_result.success else f"failed, {step.last_result.message}"
        outcome = f"{what}: {found}"
        reply = "" if step.last_result.reply is None else json.dumps(step.last_result.reply)
    heard = [{"speaker": str(one.speaker).capitalize(), "text": one.text} for one in step.heard]
    content = render("step", step=step.number, heard=heard, outcome=outcome, reply=reply).strip()
    return {"role": "user", "content": content}, {"role": "assistant", "content": _text(step.action)}


def decision_rows(episode: Episode) -> Iterator[JsonObject]:
    """One row per decision of a model: the prompt, and the choice as its answer to it."""
    for step in episode.steps:
        thought = step.thought
        if thought is None or not is_decision(thought):
            continue
        choice, candidates = _text_of(thought.get("choice", "")), thought.get("candidates")
        yield {
            **_of_step(episode, step),
            "messages": [*_asked(thought["prompt"]), {"role": "assistant", "content": choice}],
            "candidates": [_text_of(one) for one in candidates] if isinstance(candidates, list) else [],
            "choice": choice,
            "distribution": json.dumps(thought.get("distribution")),
            "error": _text_of(thought.get("error", "")),
        }


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _asked(prompt: Any) -> list[dict[str, str]]:
    """The messages of a prompt, which is a text or has the texts of `system` and `user`."""
    said = {name: str(prompt.get(name, "")) for name in ("system", "user")} if isinstance(prompt, Mapping) else {}
    said = said or {"user": str(prompt)}
    return [{"role": role, "content": text} for role, text in said.items() if text]


def episode_rows(episode: Episode) -> Iterator[JsonObject]:
    """One row per episode: who played, what was said, how it went."""
    outcome, read = episode.outcome, episode.readings
    goals = {"initial": outcome.initial, "final": outcome.final}
    yield {
        **_about(episode),
        "agents": {role: episode.agents.get(role, "") for role in Role},
        "privileges": {role: list(episode.privileges.get(role, ())) for role in Role},
        "dialogue": [{**said, **read_as(read.get(number))} for number, said in enumerate(_spoken(episode.dialogue))],
        "goal_conditions": {name: asdict(found) if found else None for name, found in goals.items()},
        "reference_length": outcome.reference_length,
        "steps": outcome.steps,
        "failed_actions": outcome.failed_actions,
        "reason": outcome.reason,
    }


def _talk(run: StoredRun, episode: Episode) -> Iterator[tuple[str, str]]:
    """What was said, with the agents' SPECs; dialogues of TEACh's own sessions are nobody's that took part here."""
    for step in episode.steps:
        if step.action is not None and step.action.name == "Text":
            yield episode.agents.get(step.role, ""), step.action.utterance
    for said in episode.dialogue:
        if said.speaker not in list(Role):
            yield "", said.text


def _texts(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "string")


_SPOKEN = [_texts("speaker", "text")]
_READ: JsonMapping = {"acts": "string", "confidence": "float64", "by": "string"}
_ABOUT: JsonMapping = {
    **_texts("benchmark", "instance_id", "task_name"),
    "task_params": ["string"],
    **_texts("room", "simulator", "status"),
    "success": "bool",
}
_STEP: JsonMapping = {**_ABOUT, "step": "int64", **_texts("role", "agent")}
_MESSAGES = [_texts("role", "content")]
_GOALS = {"total": "int64", "satisfied": "int64"}

FEATURES: Mapping[str, JsonMapping] = {
    "episodes": {
        **_ABOUT,
        "agents": _texts("commander", "follower"),
        "privileges": {role: ["string"] for role in Role},
        "dialogue": [{**_texts("speaker", "text"), **_READ}],
        "goal_conditions": {"initial": _GOALS, "final": _GOALS},
        **dict.fromkeys(("reference_length", "steps", "failed_actions"), "int64"),
        "reason": "string",
    },
    "steps": {
        **_STEP,
        "observation": {
            "pose": {**dict.fromkeys(("x", "y", "z", "yaw", "horizon"), "float64"), "standing": "bool"},
            "heard": _SPOKEN,
            **_texts("last_action", "last_result"),
        },
        "message": "string",
        "dialogue_acts": ["string"],
        "read": _READ,
        "action": {"name": "string", "x": "float64", "y": "float64", "query": "string"},
        "result": {"success": "bool", **_texts("message", "object_id", "reply")},
        "thought": "string",
    },
    "chat": {**_ABOUT, **_texts("role", "agent"), "messages": _MESSAGES},
    "decisions": {
        **_STEP,
        "messages": _MESSAGES,
        "candidates": ["string"],
        **_texts("choice", "distribution", "error"),
    },
}
"""Columns of each file: a type, a mapping of a struct's, or a list with that of its items."""


def dataset_card(run: StoredRun, rows: Mapping[str, int]) -> str:
    """The card of a run over TEACh; `rows` are counted by the names of `FEATURES`, of the files that there are."""
    who = ", ".join(f"{seat} `{run.settings[seat]}`" for seat in run.kind.agents)
    name = run.benchmark.upper()
    return hub_card(
        rows,
        FEATURES,
        title=f"{name}, {who}",
        about=f"Sessions of a run of TEACh's {name} over {len(run.asked)} instances",
        note="Poses are in Unity's frame (left-handed, metres, y up; yaw clockwise from +z and horizon downwards in "
        "degrees); clicks are fractions of the frame's width and height. `read`, and in a dialogue `acts`, "
        "`confidence` and `by`, are how who heard an utterance read it; `dialogue_acts` are labels that hooks gave it. "
        "`last_action`, `last_result`, `reply`, `thought`, `distribution` and the assistant's messages in `chat` are "
        "JSON in text. No pictures are "
        "included.",
    )


EXPORTS = Exports(
    read=read_episode,
    card=dataset_card,
    forms={
        "hf": {
            "data/episodes.jsonl": episode_rows,
            "data/steps.jsonl": step_rows,
            "data/chat.jsonl": chat_rows,
            "data/decisions.jsonl": decision_rows,
        },
        "jsonl": {"chat.jsonl": chat_rows},
        "steps": {"steps.jsonl": step_rows},
        "decisions": {"decisions.jsonl": decision_rows},
    },
    spoken=_talk,
)
"""What each format writes of TEACh's benchmarks."""
