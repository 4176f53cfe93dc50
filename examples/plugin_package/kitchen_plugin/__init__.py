"""An example of a plugin: `reader`, a Commander, a folder of task definitions, and `house_rules`, a dialogue hook.

Addresses are given as text, so that nothing is imported before it is used.
"""

from collections.abc import Mapping
from pathlib import Path

from teach_agents import hookimpl
from teach_agents.core.plugins import Target


@hookimpl
def agents() -> Mapping[str, Target | Mapping[str, Target]]:
    """`reader` takes the Commander's chair only."""
    return {"reader": {"commander": "kitchen_plugin.reader:Reader"}}


@hookimpl
def tasks() -> Mapping[str, Target]:
    """The definitions that lie beside this file."""
    return {"kitchen": definitions}


@hookimpl
def dialogue_hooks() -> Mapping[str, Target]:
    """`house_rules:ask=true`."""
    return {"house_rules": "kitchen_plugin.house_rules:HouseRules"}


def definitions() -> Path:
    """The folder of the definition files."""
    return Path(__file__).parent / "definitions"
