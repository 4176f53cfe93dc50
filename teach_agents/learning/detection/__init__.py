"""Training of the eyes that ship: frames drawn in training rooms, what is learnt from them, how well that carries."""
