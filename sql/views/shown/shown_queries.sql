-- One row is a judged query of an evaluation and a measure of whole rankings, with the number of
-- documents that the run shows down to the cutoff.
select
    run_id, judgment_set_id, query_id, measure, retrieved,
    least(cutoff, listed) as shown
from listed_queries
inner join settings using (known, judged_only)
where reads = 'rankings'
