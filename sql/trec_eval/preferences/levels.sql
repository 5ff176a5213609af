-- One row is the level of a document in a subgroup.
select
    staged.line_number,
    judged_groups.group_number,
    staged.subgroup_id,
    places.place,
    staged.grade

from staged

inner join judged_groups
    on
        staged.query_id = judged_groups.query_id
        and staged.group_id = judged_groups.group_id

inner join places
    on
        staged.query_id = places.query_id
        and staged.doc_id = places.doc_id
