"""What a change does to the comparability of published figures: boards, notices, change classes."""
