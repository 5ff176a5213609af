"""Turns rows into text or files: tables, formats, exports, figures."""
