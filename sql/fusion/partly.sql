-- How many queries some of the fused runs show documents for, but not all: of
-- lists/lengths.
select count(distinct query_id) as query_count
from source_rows
where length = 0 and query_id in (select query_id from source_rows where length > 0)
