-- One row is a document of a group: relevant, not relevant, or neither (if its
-- level is negative and there are several subgroups). lowest_rank numbers the
-- documents of the lowest class in the order of their places: level 0 or, in a
-- group of one subgroup, the lowest level if it is not relevant.
with documents as (

    select
        levels.group_number,
        levels.place,
        arg_max(levels.grade, levels.subgroup_id) as grade

    from levels

    group by
        levels.group_number,
        levels.place

),

classes as (

    select
        documents.group_number,
        documents.place,
        documents.place <= judged_groups.returned as is_returned,
        documents.grade > 0 as is_relevant,
        documents.grade = 0
        or (documents.grade < 0 and judged_groups.subgroups = 1)
            as is_not_relevant,
        documents.grade <= 0
        and documents.grade
        = case
            when judged_groups.subgroups = 1 then judged_groups.lowest_grade
            else 0
        end as is_lowest

    from documents

    inner join judged_groups using (group_number)

)

select
    classes.group_number,
    classes.place,
    classes.is_returned,
    classes.is_relevant,
    classes.is_not_relevant,
    case
        when classes.is_lowest
            then row_number() over (
                partition by classes.group_number, classes.is_lowest
                order by classes.place
            )
    end as lowest_rank

from classes
