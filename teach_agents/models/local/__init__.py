"""Language and vision-language models of transformers, on this machine."""
