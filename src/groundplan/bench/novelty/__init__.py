"""Novelty adaptation, measured: operators learned over seeds by several methods, and Tables I to III of the paper."""
