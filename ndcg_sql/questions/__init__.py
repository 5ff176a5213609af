"""The questions that a warehouse answers; to import them is quick, as help does."""
