"""What texts say and hold, as pure functions of their bytes; the checks of `checks/content_*` turn it into findings."""
