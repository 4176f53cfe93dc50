"""What the planner Follower can do with its body."""
