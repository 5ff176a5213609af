"""One command for a file that was refused: made of its profile, never tried.

A proposal is only ever shown in a message: nothing is loaded by it.
"""
