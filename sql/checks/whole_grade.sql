-- query {query_id}, document {doc_id}: grade {grade} is not a whole number, as trec_eval's are; ndcg-sql eval takes it
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.grade_text as grade

from staged

where staged.grade <> trunc(staged.grade)
