"""What questions take: how options are declared and checked, and those that they share.

A parameter has a type, a default, a help and an Option, which says what else it is. The
command line makes its options of them, and the methods of Warehouse take them.
"""
