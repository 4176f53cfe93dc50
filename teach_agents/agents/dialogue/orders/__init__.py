"""Orders carried out, each kind in a module of its own; `OrderContext` is what one order under way goes by."""
