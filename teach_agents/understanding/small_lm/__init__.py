"""Reading by SmolLM2 with an adapter of its own."""
