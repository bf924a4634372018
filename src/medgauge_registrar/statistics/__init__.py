"""Versioned statistics, recomputed exactly from public run rows; imports nothing of the other packages."""
