-- One row is what a document adds to a measure. The case is the column term of measures.csv.
select
    side, list_id, judgment_set_id, query_id, measure, position, doc_id, subtopic, gain, discount,
    found, reach,
    $terms as term
from discounted_gains
where
    family in ($families)
    and case
        when side = 'run' then relation is null
        else
            list_id <> 0
            or (judgment_set_id, measure) not in (
                select distinct judgment_set_id, measure from ideal_sums
            )
    end
