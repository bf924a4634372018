"""The demonstration registry; nothing that decides imports it."""
