-- One row is a document that a judgment set judges differently from another one
-- of its dataset: added (the other set does not judge it), removed (only the
-- other set does) or regraded. A negative grade counts as unjudged.
with pairs as (

    select
        judgment_sets.dataset,
        judgment_sets.judgment_set_id,
        judgment_sets.name as judgment_set,
        others.judgment_set_id as other_judgment_set_id,
        others.name as other_judgment_set

    from judgment_sets

    inner join judgment_sets as others using (dataset)

    where judgment_sets.judgment_set_id <> others.judgment_set_id

),

both_sides as (

    select
        pairs.judgment_set_id,
        pairs.other_judgment_set_id,
        judgments.query_id,
        judgments.doc_id,
        judgments.grade,
        cast(null as double) as other_grade

    from pairs

    inner join judgments using (judgment_set_id)

    where judgments.grade >= 0

    union all

    select
        pairs.judgment_set_id,
        pairs.other_judgment_set_id,
        judgments.query_id,
        judgments.doc_id,
        cast(null as double) as grade,
        judgments.grade as other_grade

    from pairs

    inner join judgments
        on pairs.other_judgment_set_id = judgments.judgment_set_id

    where judgments.grade >= 0

),

compared as (

    select
        both_sides.judgment_set_id,
        both_sides.other_judgment_set_id,
        both_sides.query_id,
        both_sides.doc_id,
        max(both_sides.grade) as grade,
        max(both_sides.other_grade) as other_grade

    from both_sides

    group by
        both_sides.judgment_set_id,
        both_sides.other_judgment_set_id,
        both_sides.query_id,
        both_sides.doc_id

)

select
    pairs.dataset,
    pairs.judgment_set,
    pairs.other_judgment_set,
    pairs.judgment_set_id,
    pairs.other_judgment_set_id,
    compared.query_id,
    compared.doc_id,
    case
        when compared.other_grade is null then 'added'
        when compared.grade is null then 'removed'
        else 'regraded'
    end as change,
    compared.other_grade,
    compared.grade

from compared

inner join pairs using (judgment_set_id, other_judgment_set_id)

where compared.grade is distinct from compared.other_grade
