"""Data files of the package: decision table, rule catalogue, starter registry."""
