"""The HTML report of a run, made from its folder."""
