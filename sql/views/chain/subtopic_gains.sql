-- One row is a document at its position in a run's list, for each subtopic that it is relevant to.
-- found counts the documents down to it that are relevant to the subtopic.
select
    run_id, judgment_set_id, query_id, basis, subtopic, position,
    if(gain_scheme = 'subtopic precision', 1 / relevant, 1) as gain,
    row_number() over (
        partition by run_id, judgment_set_id, query_id, basis, subtopic order by position
    ) as found
from lists
inner join subtopic_bases using (known, judged_only)
inner join subtopic_relevance using (judgment_set_id, query_id, doc_id, rel, known)
