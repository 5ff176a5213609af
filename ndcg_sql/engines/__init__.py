"""The same views on other engines: scripts of SQL over a user's own tables."""
