"""The public relations as tables elsewhere: in a file, a folder, a database.

Readers there never wait for the warehouse, and see all of a change or none of it.
"""
