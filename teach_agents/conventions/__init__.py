"""Other people's calling conventions: their agents run here, ours run there."""
