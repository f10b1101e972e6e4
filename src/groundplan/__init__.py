"""groundplan: a language model proposes, a symbolic oracle disposes."""

__version__ = "0.1.0"
