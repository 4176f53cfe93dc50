"""What an agent sees and remembers of a room, in place of privileged information, in tiers."""
