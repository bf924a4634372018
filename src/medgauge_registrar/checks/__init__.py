"""One module a family of rules; `catalogue.py` lists every check there is."""
