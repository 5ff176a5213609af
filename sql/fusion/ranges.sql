-- One row is what a run shows for a query: its least and greatest score, and how
-- many documents it shows.
select
    fused_entries.place,
    fused_entries.query_id,
    min(fused_entries.score) as least,
    max(fused_entries.score) as greatest,
    count(*) as shown

from fused_entries

group by
    fused_entries.place,
    fused_entries.query_id
