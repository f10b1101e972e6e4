"""From the records of benchmark runs to tables and figures, with their uncertainty and the published figures beside."""
