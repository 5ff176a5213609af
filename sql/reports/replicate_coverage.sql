-- One row is a system: its replicates, whether they divide the queries among them,
-- and the number of judged queries that some answered and others did not.
select
    system,
    max(replicates) as replicates,
    bool_and(is_divided) as is_divided,
    count(*) filter (answers between 1 and replicates - 1) as unequal
from replicate_answers
group by system_id, system
order by list_position($run_ids, system_id)
