insert into staged (query_id, doc_id, grade, label)
select
    base_judgments.query_id,
    base_judgments.doc_id,
    base_judgments.grade,
    base_judgments.label

from base_judgments

left join staged using (query_id, doc_id)

where staged.doc_id is null
