"""Licence files: which texts they may hold (NEV-06)."""

import re

from medgauge_registrar.patterns import lazy_pattern

_NAMES = lazy_pattern(r"(?:un)?licen[cs]es?(?:[._-].{0,40})?|copying(?:[._-].{0,40})?|copyright(?:\.[a-z]{2,4})?", re.I)
_APACHE = lazy_pattern(r"apache license.{0,40}version 2\.0|apache-2\.0", re.I | re.S)
_CC_BY = lazy_pattern(r"creative commons attribution 4\.0 international|cc[- ]by[- ]4\.0", re.I)
_OTHER = lazy_pattern(
    r"\bGNU (?:general|lesser|affero)|\bMIT License\b|\bPermission is hereby granted, free of charge|\bMozilla Public License"
    r"|\bRedistribution and use in source and binary forms|\bAttribution-(?:NonCommercial|ShareAlike|NoDerivatives)"
    r"|\bCC[- ]BY[- ](?:NC|SA|ND)|\bCC0\b|\bUnlicense\b|\ball rights reserved\b|\bproprietary\b|\bBusiness Source License",
    re.I,
)


def is_licence_file(path: str) -> bool:
    """Whether a file's name says that it holds a licence."""
    name = path.rpartition("/")[2]
    return _NAMES.fullmatch(name) is not None and not name.casefold().endswith((".yaml", ".yml", ".json", ".py"))


def foreign_licence(text: str) -> str | None:
    """Why a licence file is not one of the two a registry has; null if it is."""
    if found := _OTHER.search(text):
        return f"speaks of `{found[0]}`"
    if not _APACHE.search(text) and not _CC_BY.search(text):
        return "is neither Apache-2.0 nor CC BY 4.0"
    return None
