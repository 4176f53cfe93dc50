"""Our own eyes for households: one small network that finds objects and says how far away everything is."""
