"""Proof that a large file is clean, with its rows, by arithmetic on its bytes.

Nearly every file has one form on all lines and nothing unusual on any. To prove that
takes less time than to read each line for what may be wrong with it. So the bytes of
a file are cut into blocks of whole queries (files), every byte that separates is
found at once, and must be where the form wants it (texts); ids become numbers of 64
bits, whose differences prove that ids differ (texts); digits become doubles eight at
a time (decimals); what is left of a block are its queries, and its judged documents
with their positions (rankings). Blocks are independent of each other, so that threads
share them and none is kept (files).

Whatever is not proved is odd (OddError): not wrong, perhaps, but left to the strict
reading, which judges single lines and names them. So this may refuse what the strict
reading accepts, but never the reverse.
"""
