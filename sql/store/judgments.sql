insert into judgments (judgment_set_id, query_id, doc_id, grade, label)
select
    $judgment_set_id as judgment_set_id,
    staged.query_id, staged.doc_id, staged.grade, staged.label
from staged
order by staged.query_id, staged.doc_id
