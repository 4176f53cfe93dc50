"""A Follower alone with a dialogue that is over: what EDH and TfD have in common."""
