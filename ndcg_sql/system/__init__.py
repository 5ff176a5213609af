"""The operating system: folders, streams, interrupts, limits, progress, messages.

Imports only errors and text.
"""
