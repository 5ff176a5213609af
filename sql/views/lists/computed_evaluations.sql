-- One row is a pair of a run and a judgment set of one dataset, with the number
-- of judged queries that the run answered, of judged queries that it did not
-- answer, and of unjudged queries that it answered; of a run that has only
-- loaded values, all are 0. The table evaluations stores the pairs that were
-- asked for.
with shared as (
    select
        run_queries.run_id, judged_queries.judgment_set_id,
        count(*) as common,
        count(case when run_queries.retrieved > 0 then 1 end) as answered
    from run_queries
    inner join judged_queries using (query_id)
    group by run_queries.run_id, judged_queries.judgment_set_id
)

select
    runs.run_id, judgment_sets.judgment_set_id,
    coalesce(shared.answered, 0) as answered,
    if(runs.query_count = 0, 0, judgment_sets.query_count - coalesce(shared.answered, 0))
        as unanswered,
    runs.query_count - coalesce(shared.common, 0) as unjudged_queries
from runs
inner join judgment_sets using (dataset)
left join shared using (run_id, judgment_set_id)
