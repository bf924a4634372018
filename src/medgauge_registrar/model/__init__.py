"""Frozen values that pass between the stages; imports nothing of the other packages."""
