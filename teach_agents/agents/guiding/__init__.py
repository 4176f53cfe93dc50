"""How a Commander leads a person who sits in the Follower's seat: one step at a time, and an answer to every line."""
