"""Training of the Episodic Transformer: frames of people's sessions, drawn again, and what they did at each."""
