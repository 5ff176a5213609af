"""The operating system: folders, streams, interrupts, limits, progress, messages."""
