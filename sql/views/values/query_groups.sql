-- One row is a judged query in a group that values of runs as wholes rest on: all
-- judged queries (attribute is null), or a slice (see query_slices).
select
    judged_queries.judgment_set_id,
    judged_queries.query_id,
    cast(null as varchar) as attribute,
    cast(null as varchar) as slice

from judged_queries

union all

select
    query_slices.judgment_set_id,
    query_slices.query_id,
    query_slices.attribute,
    query_slices.slice

from query_slices
