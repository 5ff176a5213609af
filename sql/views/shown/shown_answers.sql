-- One row is a group of the judged queries of an evaluation (see query_groups) and
-- a measure of runs as wholes, with the number of these queries that the run
-- answered, of those that it did not, and of those that it shows anything (n).
select
    shown_queries.run_id,
    shown_queries.run,
    shown_queries.judgment_set_id,
    query_groups.attribute,
    query_groups.slice,
    shown_queries.measure,
    count(case when shown_queries.retrieved > 0 then 1 end) as answered,
    count(case when shown_queries.retrieved = 0 then 1 end) as unanswered,
    count(case when shown_queries.shown > 0 then 1 end) as n

from shown_queries

inner join shown_measures using (measure)

inner join query_groups using (judgment_set_id, query_id)

where shown_measures.summary = 'none'

group by
    shown_queries.run_id,
    shown_queries.run,
    shown_queries.judgment_set_id,
    query_groups.attribute,
    query_groups.slice,
    shown_queries.measure
