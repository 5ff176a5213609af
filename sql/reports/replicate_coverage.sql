-- One row is a system: its replicates, whether they divide the queries among them,
-- and the number of judged queries that some answered and others did not.
select
    replicate_answers.system,
    max(replicate_answers.replicates) as replicates,
    bool_and(replicate_answers.is_divided) as is_divided,
    sum(
        case
            when
                replicate_answers.answers > 0
                and replicate_answers.answers < replicate_answers.replicates
                then 1
            else 0
        end
    ) as unequal
from replicate_answers
group by replicate_answers.system_id, replicate_answers.system
order by list_position($run_ids, replicate_answers.system_id)
