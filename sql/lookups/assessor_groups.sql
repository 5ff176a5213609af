-- One row is an assessor of some sets of assessments with the group that a set
-- puts it in: the kind of its assessors or, if asked for, their model, if they
-- have one. name and dataset are those of a set that does so.
select
    assessor,
    case when $by = 'model' then coalesce(model, assessor_kind) else assessor_kind end
        as assessor_group,
    min(name) as name,
    arg_min(dataset, name) as dataset
from assessments
inner join assessment_sets using (assessment_set_id)
group by all
order by assessor, assessor_group nulls first
