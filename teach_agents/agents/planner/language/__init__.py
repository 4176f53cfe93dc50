"""The controlled English that the planner Commander speaks and the planner Follower understands."""
