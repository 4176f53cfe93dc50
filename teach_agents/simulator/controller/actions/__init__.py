"""What each of AI2-THOR's actions does to an engine; `table` has them all by name."""
