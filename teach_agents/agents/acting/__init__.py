"""A body in a household: what it knows of the room, how it gets about, and the skills built on TEACh's 16 actions.

Where its knowledge comes from is its `Senses`: the planner's are privileged, those of agents that look for themselves
hold what they have seen.
"""
