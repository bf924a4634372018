"""Shared by several test folders; `tests` is on the import path (pyproject.toml), so they are `support.…`."""
