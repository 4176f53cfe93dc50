"""Live sessions for whoever has words only: what happened told in words, what is wanted done by skills, a terminal."""
