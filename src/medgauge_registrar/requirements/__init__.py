"""Who may sit where: opinions, seats, separation, evidence."""
