"""The live run: an event in, comment and status out. Ties the rooms together and holds no rule."""
