"""Running Python that a language model wrote, confined."""
