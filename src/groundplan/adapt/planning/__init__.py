"""Planning with operators that are missing: proposed by a model, checked, lifted and planned with (paper, Fig. 1-3)."""
