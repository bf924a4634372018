"""Changed paths to kinds, transitions and decision rows, from content alone."""
