-- One row is what a document of the best grade of a judgment set, the grade
-- with the highest gain, would add to a measure: its gain, or 1 if the measure
-- counts relevant documents. A measure is omitted if its value with more
-- judgments cannot be computed from what is known: if it removes documents,
-- shares gains among ties, gives queries with nothing relevant a value other
-- than 0, has an ideal ranking or a divisor of its own, or has a negative gain
-- for a grade.
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
    bounded_families.worth_rule,
    bounded_families.share_of,
    gain_measures.cutoff,
    max(grade_gains.gain) as gain

from gain_measures

inner join bounded_families using (family)

inner join measures using (measure)

inner join grade_gains
    on
        gain_measures.gain_scheme = grade_gains.gain_scheme
        and gain_measures.rel = grade_gains.rel

where
    gain_measures.ideal = 'judged'
    and gain_measures.tie_rule is null
    and not gain_measures.judged_only
    and gain_measures.known = 'keep'
    and measures.no_rel = '0'

group by
    grade_gains.judgment_set_id,
    gain_measures.measure,
    bounded_families.worth_rule,
    bounded_families.share_of,
    gain_measures.cutoff

having min(grade_gains.gain) >= 0

union all

select
    highest.judgment_set_id,
    relevance_measures.measure,
    bounded_families.worth_rule,
    bounded_families.share_of,
    relevance_measures.cutoff,
    case when highest.grade >= relevance_measures.rel then 1 else 0 end as gain

from relevance_measures

inner join bounded_families using (family)

inner join measures using (measure)

cross join highest

where
    measures.norm is null
    and not relevance_measures.judged_only
    and relevance_measures.known = 'keep'
    and measures.no_rel = '0'
