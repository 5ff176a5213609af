-- The queries that a run answers without documents: texts of query ids, which NUL
-- separates. Those with documents elsewhere are no such answers.
insert into empty_answers by name
select distinct
    $run_id as run_id,
    answers.query_id
from (select unnest(string_split($query_ids, chr(0))) as query_id) as answers
anti join (from run_queries where run_id = $run_id) as with_documents using (query_id)
