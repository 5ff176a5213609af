-- One row is a query of a run: its least and greatest score.
select
    fused_entries.place,
    fused_entries.query_id,
    min(fused_entries.score) as least,
    max(fused_entries.score) as greatest

from fused_entries

group by
    fused_entries.place,
    fused_entries.query_id
