"""A file or frame becomes staged rows: opening, detecting, reading, checking."""
