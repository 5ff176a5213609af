-- One row is a query of a run: its least and greatest score.
select
    place, query_id,
    min(score) as least,
    max(score) as greatest
from fused_entries
group by all
