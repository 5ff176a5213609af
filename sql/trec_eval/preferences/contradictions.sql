-- The first line with a document that is preferred to itself through other
-- documents; no row if there is none.
select
    levels.line_number,
    judged_groups.query_id,
    judged_groups.group_id,
    places.doc_id

from preferred

inner join levels
    on
        preferred.group_number = levels.group_number
        and preferred.better = levels.place

inner join judged_groups
    on preferred.group_number = judged_groups.group_number

inner join places using (query_id, place)

where preferred.better = preferred.worse

order by levels.line_number

limit 1
