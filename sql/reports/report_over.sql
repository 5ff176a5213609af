-- One row is the mean of a measure over replicates, for all queries or a slice:
-- runs that differ in one tag only, such as the seed. The deviation is that of a
-- sample; it says how much a value varies from replicate to replicate, not from
-- query to query. The counts of queries are those of the replicate that is worst
-- off.
select
    replicates.system, answer_rows.judgment_set, answer_rows.dataset, answer_rows.slice,
    answer_rows.measure,
    avg(answer_rows.value order by runs.run_id) as value,
    stddev_samp(answer_rows.value order by runs.run_id) as deviation,
    min(answer_rows.value) as least,
    max(answer_rows.value) as greatest,
    count(answer_rows.value) as replicates,
    min(answer_rows.n) as n,
    min(answer_rows.answered) as answered,
    max(answer_rows.unanswered) as unanswered,
    max(answer_rows.no_relevant) as no_relevant
from answer_rows
inner join runs
    on answer_rows.dataset = runs.dataset and answer_rows.run = runs.name
inner join replicates using (run_id)
group by
    replicates.system, answer_rows.judgment_set, answer_rows.dataset, answer_rows.slice,
    answer_rows.measure
order by
    answer_rows.dataset,
    answer_rows.slice nulls last,
    min(runs.run_id),
    list_position($measures, answer_rows.measure)
