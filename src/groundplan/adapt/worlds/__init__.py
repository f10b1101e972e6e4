"""Robot worlds in MuJoCo, and the interface by which others are added."""
