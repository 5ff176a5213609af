-- The first group of each query becomes one judgment set, the second group
-- another, and so on: each group is then evaluated as a query is.
insert into judgments (judgment_set_id, query_id, doc_id, grade)
select
    dense_rank() over (
        partition by staged.query_id
        order by staged.group_id
    ) as judgment_set_id,
    staged.query_id,
    staged.doc_id,
    staged.grade

from staged
