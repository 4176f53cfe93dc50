"""`requests`: what people say to a Follower, judged by true states, motions and answers (docs/requests.md)."""
