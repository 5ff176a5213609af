"""The file formats, one module each: suffixes, sniffer, layout, help.

A module lists its formats in FORMATS; every module in this folder is used.
"""
