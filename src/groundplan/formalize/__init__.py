"""formalize."""
