"""`registrar doctor`: whether a registry and its settings on GitHub let the gate do what it promises."""
