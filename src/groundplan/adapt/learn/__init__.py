"""Learning a controller for a new operator: PPO on its sub-goals in phases, baselines, and the learned executor."""
