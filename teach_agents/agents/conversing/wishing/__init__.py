"""Orders carried out, each kind in a module of its own; `Errand` is what one order under way goes by."""
