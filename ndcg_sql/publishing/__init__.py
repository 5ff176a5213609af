"""The public relations as tables elsewhere: in a file, a folder, a database."""
