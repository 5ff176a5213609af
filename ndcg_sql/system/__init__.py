"""The operating system: folders, streams, interrupts, limits, progress, messages.

Imports nothing of ndcg_sql but errors and text.
"""
