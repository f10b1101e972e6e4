"""What the multi-role paper claims of its training (sections 3.5-3.7, Appendices C-E), as figures one can measure."""
