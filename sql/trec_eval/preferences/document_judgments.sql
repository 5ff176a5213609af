-- Every judged document, once, so that it can be looked up in the run.
insert into judgments (judgment_set_id, query_id, doc_id, grade)
select distinct
    1 as judgment_set_id,
    staged.query_id,
    staged.doc_id,
    0 as grade

from staged
