-- The grade that a policy derives from the last grades of assessors: the mean, the
-- median (of an even number, halfway between the two in the middle), the majority
-- grade (the lowest if several are equally frequent), the highest, the latest (the
-- lowest if several are), or that of the first assessor, in the given order, who has
-- one (trust). A negative grade counts as no grade; a document without another gets -1.
create or replace temp table staged as
with graded as (
    select
        query_id,
        doc_id,
        assessor,
        assessed_at,
        case when grade >= 0 then grade end as grade,
        count(*) over (partition by query_id, doc_id, grade) as given_by
    from assessor_grades
    where dataset = $dataset
)

select
    query_id,
    doc_id,
    cast(null as varchar) as label,
    coalesce(
        case $policy
            when 'mean' then sum(grade order by assessor) / count(grade)
            when 'median' then median(grade)
            when 'majority' then arg_max(grade, (given_by, -grade))
            when 'max' then max(grade)
            when 'latest' then arg_max(grade, (assessed_at, -grade))
            else arg_min(grade, list_position($assessors, assessor))
        end,
        -1
    ) as grade
from graded
group by all
