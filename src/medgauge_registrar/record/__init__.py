"""The record of decisions: notes on what reached the default branch, and how they are held against git again."""
