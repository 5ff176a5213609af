-- One row is a document that a judgment set judges differently from another one
-- of its dataset: added (the other set does not judge it), removed (only the
-- other set does) or regraded. A negative grade counts as unjudged.
with pairs as (
    select
        judgment_sets.judgment_set_id,
        others.judgment_set_id as other_judgment_set_id
    from judgment_sets
    inner join judgment_sets as others using (dataset)
    where judgment_sets.judgment_set_id <> others.judgment_set_id
),

-- A filter by set reaches both sides, which it would not in a full join.
both_sides as (
    select
        pairs.*, query_id, doc_id,
        grade as own,
        cast(null as double) as other
    from pairs
    inner join judgments using (judgment_set_id)
    where grade >= 0
    union all
    select
        pairs.*, query_id, doc_id,
        null as own,
        grade as other
    from pairs
    inner join judgments on pairs.other_judgment_set_id = judgments.judgment_set_id
    where grade >= 0
)

select
    judgment_set_id, other_judgment_set_id, query_id, doc_id,
    case
        when max(other) is null then 'added'
        when max(own) is null then 'removed'
        else 'regraded'
    end as change,
    max(other) as other_grade,
    max(own) as grade
from both_sides
group by all
having max(own) is distinct from max(other)
