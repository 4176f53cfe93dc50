"""The controlled English of household steps: said by Commanders, understood by Followers; and how people say it."""
