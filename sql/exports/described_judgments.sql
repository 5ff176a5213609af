-- The counts of a judgment set, and the number of its judgments with a label.
select
    judgment_sets.query_count, judgment_sets.judgment_count,
    count(judgments.label) as labels
from judgment_sets
inner join judgments using (judgment_set_id)
where judgment_sets.judgment_set_id = $id
group by judgment_sets.query_count, judgment_sets.judgment_count
