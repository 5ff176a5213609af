-- One row is a grade of a judgment set that a measure meant for the set cannot use. fault says why:
-- it is above the highest one that the measure expects (above), its gain is too large to be summed
-- (large), or the named gain scheme does not name it (unnamed). The grade is null where the set has
-- no subtopics (subtopics), or the dataset none of the known documents (known), documents or
-- attributes of documents (attributes) that the measure needs.
with lacking as (
    select
        judgment_sets.dataset, judgment_set_id, measure, by_attribute,
        need as fault
    from dataset_measures
    inner join judgment_sets using (judgment_set_id)
    inner join measures using (measure)
    inner join measure_needs using (measure)
),

faults as (
    select
        judgment_set_id, measure, max(grade) as grade,
        'above' as fault
    from judgments
    inner join dataset_measures using (judgment_set_id)
    inner join measures using (measure)
    where measures.family in ('ERR', 'nERR') and grade > max_rel
    group by all
    union all
    select
        judgment_set_id, measure, grade,
        if(grade_gains.gain is null, 'large', 'unnamed') as fault
    from grade_gains
    inner join settings using (basis)
    left join gains using (gain_scheme, grade)
    where
        family in ('nDCG', 'DCG', 'IDCG', 'nCG', 'CG', 'ndcg_rel', 'Rndcg', 'G')
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
    select judgment_set_id, measure, null as grade, fault
    from lacking
    where
        fault = 'subtopics'
        and judgment_set_id not in (select judgment_set_id from subtopic_judgments)
    union all
    select judgment_set_id, measure, null as grade, fault
    from lacking
    where fault = 'known' and dataset not in (select dataset from known_documents)
    union all
    select judgment_set_id, measure, null as grade, fault
    from lacking
    where fault = 'documents' and dataset not in (select dataset from documents)
    union all
    select judgment_set_id, measure, null as grade, fault
    from lacking
    where
        fault = 'attributes'
        and (dataset, by_attribute) not in (select dataset, attribute from document_attributes)
)

select judgment_set_id, measure, grade, fault
from faults
semi join dataset_measures using (judgment_set_id, measure)
