-- The queries that a run answers without documents. Those with documents elsewhere are no
-- such answers.
insert into empty_answers by name
select distinct
    $run_id as run_id,
    answers.query_id
from (select unnest(cast($query_ids as varchar[])) as query_id) as answers
anti join (from run_queries where run_id = $run_id) as with_documents using (query_id)
