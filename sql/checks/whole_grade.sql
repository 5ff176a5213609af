-- query {query_id}, document {doc_id}: grade {grade} is not an integer, as trec_eval requires; ndcg-sql eval accepts it
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.grade_text as grade

from staged

where staged.grade <> trunc(staged.grade)
