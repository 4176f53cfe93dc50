"""Agents: the contract, and those that need neither planner nor model."""

from __future__ import annotations

from teach_agents.agents.demonstration import DemonstrationAgent
from teach_agents.agents.random_agents import RandomCommander, RandomFollower, SilentCommander
from teach_agents.agents.scripted import ScriptedAgent
from teach_agents.core.agents.contract import Agent, Briefing, FunctionAgent, as_agent

__all__ = [
    "Agent",
    "Briefing",
    "DemonstrationAgent",
    "FunctionAgent",
    "RandomCommander",
    "RandomFollower",
    "ScriptedAgent",
    "SilentCommander",
    "as_agent",
]
