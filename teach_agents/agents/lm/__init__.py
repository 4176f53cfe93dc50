"""The language-model pair: a Commander and a Follower played by any language or vision-language model."""
