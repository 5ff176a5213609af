-- One row is the mean and the standard deviation of a measure for a query, as a
-- file for trec_eval's -Z gives them.
select
    source_rows.line_number,
    source_rows.fields[1] as query_id,
    source_rows.fields[2] as name,
    try_cast(source_rows.fields[3] as double) as mean,
    try_cast(source_rows.fields[4] as double) as deviation,
    len(source_rows.fields) as field_count
from source_rows
