-- How many queries some of the fused runs answer, but not all: of lists/lengths.
select count(distinct query_id) as query_count
from source_rows
where length = 0
