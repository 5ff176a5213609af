-- One row is an assessor of some sets of assessments with the group that a set
-- puts it in: the kind of its assessors or, if asked for, their model, if they
-- have one. name and dataset are those of a set that does so.
with grouped as (

    select
        assessments.assessor,
        case
            when (select $by_model)
                then
                    coalesce(
                        assessment_sets.model, assessment_sets.assessor_kind
                    )
            else assessment_sets.assessor_kind
        end as assessor_group,
        assessment_sets.dataset,
        assessment_sets.name

    from assessments

    inner join assessment_sets using (assessment_set_id)

)

select
    grouped.assessor,
    grouped.assessor_group,
    min(grouped.name) as name,
    arg_min(grouped.dataset, grouped.name) as dataset

from grouped

group by
    grouped.assessor,
    grouped.assessor_group

order by
    grouped.assessor,
    grouped.assessor_group nulls first
