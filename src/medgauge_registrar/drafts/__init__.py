"""Texts and records that a contributor starts from; each is a proposal that the checks judge like any other."""
