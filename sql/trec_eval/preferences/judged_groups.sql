-- One row is a group of judgments of a query, numbered in order. returned is
-- the number of the query's documents, judged in any group, that the run
-- returned.
select
    staged.query_id,
    staged.group_id,
    row_number() over (
        order by staged.query_id, staged.group_id
    ) as group_number,
    count(distinct staged.subgroup_id) as subgroups,
    min(staged.grade) as lowest_grade,
    any_value(places.returned) as returned

from staged

inner join places using (query_id, doc_id)

group by
    staged.query_id,
    staged.group_id
