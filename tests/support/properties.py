"""What is to be known of families of measures to hold them to their properties.

Which property a family has stands in its row of sql/measures.csv.
"""

# Families whose sums may take something away, and what no run can reach: AP@k is
# divided by all relevant documents, and nobody can find more than all of them.
NEGATIVE = ("yaap", "utility")
OUT_OF_REACH = {"AP": ("@1", "@2", "@5"), "IPrec": ("@1.5",)}
# By family: grades, and an order that falls when its last two change places.
HURT = {
    "G": ({"a": 2.0, "b": 4.0}, "zab"),
    "Accuracy": ({"a": 1.0, "b": 1.0}, "azyxwb"),
    "BPM": ({"a": 2.0, "b": 3.0}, "zyab"),
    "infAP": ({"a": 1.0, "b": -1.0, "c": 1.0}, "azbc"),
    "rbp_resid": ({"a": 1.0}, "za"),
    "unj": ({"a": 1.0}, "za"),
}
