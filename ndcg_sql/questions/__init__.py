"""The questions that a warehouse answers: each a function with all that it takes.

A function is the method of Warehouse, it is the command, and its docstring is the help
text, also of its options, with examples in its last lines. The modules import nothing
heavy, as help reads them all; what computes is imported where it is called.
"""
