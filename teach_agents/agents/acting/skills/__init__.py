"""What a Follower can do with its body: skills, each a generator of actions."""
