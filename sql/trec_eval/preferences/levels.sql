-- One row is the level of a document in a subgroup.
select
    staged.line_number,
    judged_groups.group_number,
    staged.subgroup_id,
    places.place,
    staged.grade

from staged

inner join judged_groups using (query_id, group_id)

inner join places using (query_id, doc_id)
