-- One row is what a document of the best grade of a judgment set, that which
-- gains most, would add to a measure: its gain, or 1 where the measure counts
-- relevant documents. A measure is left out if its value with more judgments cannot be told from
-- what is known: one that takes documents out, shares gains among ties, counts
-- queries without anything relevant otherwise than 0, has an ideal ranking or
-- a divisor of its own, or takes away for a grade.
with highest as (

    select
        judgments.judgment_set_id,
        max(judgments.grade) as grade

    from judgments

    group by judgments.judgment_set_id

)

select
    grade_gains.judgment_set_id,
    gain_measures.measure,
    gain_measures.family,
    gain_measures.cutoff,
    max(grade_gains.gain) as gain

from gain_measures

inner join measures
    on gain_measures.measure = measures.measure

inner join grade_gains
    on
        gain_measures.gain_scheme = grade_gains.gain_scheme
        and gain_measures.rel = grade_gains.rel

where
    gain_measures.family in ('nDCG', 'DCG', 'nCG', 'CG')
    and gain_measures.ideal = 'judged'
    and gain_measures.ties is null
    and not gain_measures.judged_only
    and measures.no_rel = '0'

group by
    grade_gains.judgment_set_id,
    gain_measures.measure,
    gain_measures.family,
    gain_measures.cutoff

having min(grade_gains.gain) >= 0

union all

select
    highest.judgment_set_id,
    relevance_measures.measure,
    relevance_measures.family,
    relevance_measures.cutoff,
    case when highest.grade >= relevance_measures.rel then 1 else 0 end as gain

from relevance_measures

inner join measures
    on relevance_measures.measure = measures.measure

cross join highest

where
    relevance_measures.family in ('P', 'R', 'AP', 'RR', 'Success', 'RBP')
    and measures.norm is null
    and not relevance_measures.judged_only
    and measures.no_rel = '0'
