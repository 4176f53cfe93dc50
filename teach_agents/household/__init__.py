"""TEACh on any simulator: clicks, the two roles' actions, custom properties, object search, limits."""

from teach_agents.household.geometry import point_on
from teach_agents.household.household import Household
from teach_agents.household.scenario import Limits, Scenario
from teach_agents.household.state import state_difference, with_classes

__all__ = ["Household", "Limits", "Scenario", "point_on", "state_difference", "with_classes"]
