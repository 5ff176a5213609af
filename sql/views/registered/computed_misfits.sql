-- One row is what a registered measure meant for a judgment set cannot use of it. fault says why: a
-- grade is above the highest one that the measure expects (above), the gain of grades is too
-- large to be summed (large), or the named gain scheme does not name them (unnamed). There are no
-- grades where the set has no subtopics (subtopics), or the dataset none of the known documents
-- (known), documents or attributes of documents (attributes) that the measure needs.
with meant as (
    select judgment_set_id, dataset, measure, family, gains, max_rel, by_attribute
    from dataset_measures
    inner join judgment_sets using (judgment_set_id)
    inner join measures using (measure, family)
),

faults as (
    select
        judgment_set_id, measure, max(grade) as grade,
        'above' as fault
    from judgments
    inner join meant using (judgment_set_id)
    where family in ('ERR', 'nERR') and grade > max_rel
    group by all
    union all
    select
        judgment_set_id, measure, grade,
        if(grade_gains.gain is null, 'large', 'unnamed') as fault
    from grade_gains
    inner join settings using (basis)
    semi join meant using (judgment_set_id, measure)
    left join gains using (gain_scheme, grade)
    where
        dcg_kind is not null
        and (
            grade_gains.gain is null
            or (
                gain_scheme not in ('linear', 'exp', 'binary')
                and gain_scheme not like '{%'
                and grade >= 0
                and gains.grade is null
            )
        )
    union all
    select
        judgment_set_id, measure,
        null as grade,
        need as fault
    from meant
    inner join measure_needs using (measure)
    where
        case need
            when 'subtopics'
                then judgment_set_id not in (select judgment_set_id from subtopic_judgments)
            when 'known' then dataset not in (select dataset from known_documents)
            when 'documents' then dataset not in (select dataset from documents)
            when 'attributes'
                then (dataset, by_attribute) not in (
                    select dataset, attribute from document_attributes
                )
        end
)

select
    judgment_set_id, measure, fault,
    coalesce(list(grade order by grade) filter (grade is not null), []) as grades
from faults
group by all
