-- One judgment set for the first group of each query, one for the second, and
-- so on: a group is then judged as any query is.
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
