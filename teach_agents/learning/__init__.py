"""Learning: decisions as they should be made, from people's sessions and from self-play, and training with them."""
