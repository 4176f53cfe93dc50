"""What people say to a Follower: readings of their words as dialogue acts with slots.

No ids of the world stand in a reading: which things a description stands for is resolved where they are known
(`teach_agents.agents.dialogue`).
"""
