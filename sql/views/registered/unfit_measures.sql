-- One row is a grade of a judgment set that a measure meant for the set cannot
-- use. fault says why: the grade is above the highest one that the measure
-- expects (above), its gain is too large to be summed (large), or the named
-- gain scheme of the measure does not name it (unnamed). The grade is null if
-- the measure reads subtopics, and the set has none (subtopics), or if the
-- measure needs what the dataset has none of (see measure_needs): known
-- documents (known), documents, or an attribute of these (attributes).
with highest_grades as (

    select
        judgments.judgment_set_id,
        max(judgments.grade) as grade

    from judgments

    group by judgments.judgment_set_id

),

gain_faults as (

    select
        scheme_gains.judgment_set_id,
        scheme_gains.gain_scheme,
        scheme_gains.rel,
        scheme_gains.grade,
        case
            -- This is far below the largest double, so that sums stay finite,
            -- too.
            when abs(scheme_gains.gain) > 1e300 then 'large'
            else 'unnamed'
        end as fault

    from scheme_gains

    left join gains using (gain_scheme, grade)

    where
        abs(scheme_gains.gain) > 1e300
        or (
            scheme_gains.gain_scheme not in ('linear', 'exp', 'binary')
            and scheme_gains.gain_scheme not like '{%'
            and scheme_gains.grade >= 0
            and gains.grade is null
        )

),

-- What a dataset has counts only if some measure needs it.
needs_met as (

    select distinct
        known_documents.dataset,
        'known' as need

    from known_documents

    where
        exists (
            select 1
            from measure_needs
            where measure_needs.need = 'known'
        )

    union all

    select distinct
        documents.dataset,
        'documents' as need

    from documents

    where
        exists (
            select 1
            from measure_needs
            where measure_needs.need = 'documents'
        )

),

attributes_met as (

    select distinct
        document_attributes.dataset,
        document_attributes.attribute as by_attribute

    from document_attributes

    where
        document_attributes.attribute in (
            select measures.by_attribute
            from measures
        )

),

faults as (

    select
        highest_grades.judgment_set_id,
        measures.measure,
        highest_grades.grade,
        'above' as fault

    from highest_grades

    inner join measures
        on highest_grades.grade > measures.max_rel

    where measures.family in ('ERR', 'nERR')

    union all

    select
        gain_faults.judgment_set_id,
        gain_measures.measure,
        gain_faults.grade,
        gain_faults.fault

    from gain_faults

    inner join gain_measures using (gain_scheme, rel)

    union all

    select
        judgment_sets.judgment_set_id,
        subtopic_measures.measure,
        cast(null as double) as grade,
        'subtopics' as fault

    from judgment_sets

    cross join subtopic_measures

    where
        judgment_sets.judgment_set_id not in (
            select subtopic_judgments.judgment_set_id
            from subtopic_judgments
        )

    union all

    select
        judgment_sets.judgment_set_id,
        measure_needs.measure,
        cast(null as double) as grade,
        measure_needs.need as fault

    from judgment_sets

    cross join measure_needs

    left join needs_met using (dataset, need)

    where
        measure_needs.need in ('known', 'documents')
        and needs_met.need is null

    union all

    select
        judgment_sets.judgment_set_id,
        measures.measure,
        cast(null as double) as grade,
        'attributes' as fault

    from judgment_sets

    cross join measures

    left join attributes_met using (dataset, by_attribute)

    where
        measures.by_attribute is not null
        and attributes_met.by_attribute is null

)

select
    faults.judgment_set_id,
    faults.measure,
    faults.grade,
    faults.fault

from faults

inner join dataset_measures using (judgment_set_id, measure)
