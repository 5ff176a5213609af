"""Requests: what can be asked for, as values whose fields say everything once.

A field has a type, a default and an Option, which says what it is. The command line
makes its options of the fields, and the methods of Warehouse take them as arguments.
"""
