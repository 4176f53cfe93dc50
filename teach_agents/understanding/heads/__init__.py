"""Reading by a small network: what every word belongs to, and what every part of an utterance does."""
