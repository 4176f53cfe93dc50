"""Live sessions: people and agents in the two chairs, acting and talking when they like."""

from __future__ import annotations

from teach_agents.live.events import EventKind, LiveEvent
from teach_agents.live.followers import default_follower, sends_to
from teach_agents.live.ledger import household_for, record_of, write_record
from teach_agents.live.session import LiveSession, hook_of
from teach_agents.live.setting import HUMAN, PACE_S, REPLY_S, Journal, LiveError, LiveSetting, make_scenario

__all__ = [
    "HUMAN",
    "PACE_S",
    "REPLY_S",
    "EventKind",
    "Journal",
    "LiveError",
    "LiveEvent",
    "LiveSession",
    "LiveSetting",
    "default_follower",
    "hook_of",
    "household_for",
    "make_scenario",
    "record_of",
    "sends_to",
    "write_record",
]
