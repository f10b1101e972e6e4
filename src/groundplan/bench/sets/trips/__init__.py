"""Trip planning (NATURAL PLAN): an order of cities whose stays, windows and direct flights fit."""
