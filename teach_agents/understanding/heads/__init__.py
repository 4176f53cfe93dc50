"""Reading by a small network: it hears an utterance and writes its meaning, symbol by symbol."""
