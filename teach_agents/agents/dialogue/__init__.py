"""A Follower's side of a talk with people: what their words stand for here, what was asked and done, answers, orders.

What people say is read by `teach_agents.understanding`; here readings meet what the Follower knows of the room.
"""
