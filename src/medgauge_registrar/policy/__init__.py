"""The decision table as data: load it, prove it whole, evaluate it."""
