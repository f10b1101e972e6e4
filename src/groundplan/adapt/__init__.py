"""Novelty adaptation (the paper of that name): missing operators proposed by a model, planned with, and learned."""
