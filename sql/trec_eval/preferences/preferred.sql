-- One row is a pair of documents of a group, one of which is preferred to the
-- other. Either both are in a subgroup and it has the higher level there, or it
-- is preferred to a document that is preferred to the other. In a group of one
-- subgroup, the levels alone decide.
with recursive direct as (

    select
        higher.group_number,
        higher.place as better,
        lower.place as worse

    from levels as higher

    inner join levels as lower using (group_number, subgroup_id)

    where higher.grade > lower.grade

),

links as (

    select distinct
        direct.group_number,
        direct.better,
        direct.worse

    from direct

    inner join judged_groups using (group_number)

    where judged_groups.subgroups > 1

),

chains as (

    select
        links.group_number,
        links.better,
        links.worse

    from links

    union

    select
        chains.group_number,
        chains.better,
        links.worse

    from chains

    inner join links
        on
            chains.group_number = links.group_number
            and chains.worse = links.better

)

select
    chains.group_number,
    chains.better,
    chains.worse

from chains

union all

select
    direct.group_number,
    direct.better,
    direct.worse

from direct

inner join judged_groups using (group_number)

where judged_groups.subgroups = 1
