"""One session: turns over the bus, time limits, record, resume, replay."""

from __future__ import annotations

from teach_agents.core.agents.contract import AgentLike
from teach_agents.core.session.context import Clock, RealClock, Timeouts, TurnClock
from teach_agents.core.session.hooks import DialogueHook
from teach_agents.core.session.record import ReplayReport, SessionRecord
from teach_agents.session.format import Done, EndReason, Goals, RecordHeader, SessionResult, TurnRecord
from teach_agents.session.game import game_of, to_game
from teach_agents.session.game_replay import GameReplay, replay_game
from teach_agents.session.record import read_record, replay
from teach_agents.session.session import Session, resume_session, run_session

__all__ = [
    "AgentLike",
    "Clock",
    "DialogueHook",
    "Done",
    "EndReason",
    "GameReplay",
    "Goals",
    "RealClock",
    "RecordHeader",
    "ReplayReport",
    "Session",
    "SessionRecord",
    "SessionResult",
    "Timeouts",
    "TurnClock",
    "TurnRecord",
    "game_of",
    "read_record",
    "replay",
    "replay_game",
    "resume_session",
    "run_session",
    "to_game",
]
