"""The Episodic Transformer as a Follower: a trained network that sees, hears and remembers what it did."""
