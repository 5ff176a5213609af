-- One row is the mean of a measure over replicates, for all queries or a slice:
-- runs that differ in one tag only, such as the seed. The deviation is that of a
-- sample; it says how much a value varies from replicate to replicate, not from
-- query to query. The counts of queries are those of the replicate that is worst
-- off.
select
    system, judgment_set, answer_rows.dataset, slice, measure,
    avg(value order by run_id) as value,
    stddev_samp(value order by run_id) as deviation,
    min(value) as least,
    max(value) as greatest,
    count(value) as replicates,
    min(n) as n,
    min(answered) as answered,
    max(unanswered) as unanswered,
    max(no_relevant) as no_relevant
from answer_rows
inner join runs
    on answer_rows.dataset = runs.dataset and answer_rows.run = runs.name
inner join replicates using (run_id)
group by system, judgment_set, answer_rows.dataset, slice, measure
order by
    answer_rows.dataset,
    slice nulls last,
    min(run_id),
    list_position($measures, measure)
