"""Fidelity: what recorded sessions say about the embedded simulator."""
