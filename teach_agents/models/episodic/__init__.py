"""The Episodic Transformer of TEACh's paper: dialogue, frames and actions so far to the next action and its object."""
