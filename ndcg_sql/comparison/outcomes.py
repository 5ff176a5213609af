"""How a rule of a gate ends, besides pass and fail.

Apart from what decides it, so that tables can be laid out without the statistics,
whose imports would take a tenth of the time of a short command.
"""

# A pass that more queries might not confirm, and what too few queries leave open.
NOT_PROVEN = "pass (not proven)"
OPEN = "underpowered"
