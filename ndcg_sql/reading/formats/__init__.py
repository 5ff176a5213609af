"""The formats of files, one module each: suffixes, sniffer, layout, help.

A module has its formats in FORMATS, and is found by being here.
"""
