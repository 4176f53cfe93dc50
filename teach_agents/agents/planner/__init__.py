"""The planner pair: a Commander and a Follower that complete household tasks by talking and acting."""
