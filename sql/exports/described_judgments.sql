-- The counts of a judgment set, and the number of its judgments with a label.
select
    query_count, judgment_count,
    count(label) as labels
from judgment_sets
inner join judgments using (judgment_set_id)
where judgment_set_id = $id
group by all
