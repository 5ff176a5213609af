"""The Python interface: warehouses, and evaluation in memory."""
