-- Of the queries for which a run returned several documents, one of them judged: how
-- many have the same score for all documents, and how many there are. No row unless
-- these are nearly all, and more than may have equal scores by chance.
with judged_queries as (
    select
        query_id,
        bool_and(tie_first = 1 and tie_last = retrieved) as is_constant
    from hits
    inner join run_queries using (run_id, query_id)
    where run_id = $run_id and judgment_set_id = $judgment_set_id and retrieved > 1
    group by query_id
)

select
    count_if(is_constant) as constant,
    count(*) as queries
from judged_queries
having count_if(is_constant) >= greatest(5, 0.9 * count(*))
