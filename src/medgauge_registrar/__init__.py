"""Decide pull requests of a MedGauge registry by the decision table of its methodology."""

__version__ = "0.1.0"
