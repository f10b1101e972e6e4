"""Training: one model in the roles Actor, Judge and Editor, on the solver's feedback (the multi-role paper)."""
