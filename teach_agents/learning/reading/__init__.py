"""How the heads that read people's requests are trained: the corpus tagged, varied, and learnt."""
