-- Each fusion is a run, numbered from 1, of the dataset of the judgments.
insert into runs by name
select
    run_id, dataset,
    'score' as position_rule,
    count(*) as query_count,
    sum(retrieved) as document_count
from run_queries
inner join judgment_sets on judgment_set_id = $judgment_set_id
group by run_id, dataset
