"""What questions take: how options are declared and checked, and those that they share.

A parameter has a type and a default, a line of the docstring has its help, and an
Option what else there is to say. The command line makes its options of them, and the
methods of Warehouse take them.
"""
