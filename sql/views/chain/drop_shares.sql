-- One row is the nDCG of a list down to a position where the gain of the ideal list drops, for Rndcg.
select
    lists_of_runs.list_id, judgment_set_id, query_id, measure, ideal.position,
    coalesce(max_by(own.dcg, own.position), 0) / ideal.dcg as share
from (
    select distinct list_id, judgment_set_id, query_id, measure
    from running_sums
    where side = 'run'
) as lists_of_runs
inner join running_sums as ideal using (judgment_set_id, query_id, measure)
left join (select * from running_sums where side = 'run') as own
    on
        own.list_id = lists_of_runs.list_id
        and own.measure = lists_of_runs.measure
        and own.judgment_set_id = lists_of_runs.judgment_set_id
        and own.query_id = lists_of_runs.query_id
        and own.position <= ideal.position
where ideal.side = 'ideal' and ideal.drops and ideal.family = 'Rndcg'
group by
    lists_of_runs.list_id, lists_of_runs.judgment_set_id, lists_of_runs.query_id,
    lists_of_runs.measure, ideal.position, ideal.dcg
