-- One row is a hit in the ranking that the run returned (known is keep), or in
-- the one that is left without documents that the query knows (omit).
select
    hits.run_id,
    runs.name as run,
    hits.judgment_set_id,
    hits.query_id,
    hits.doc_id,
    'keep' as known,
    hits.position,
    hits.grade

from hits

inner join runs using (run_id)

union all

select
    hits.run_id,
    new_places.run,
    hits.judgment_set_id,
    hits.query_id,
    hits.doc_id,
    'omit' as known,
    new_places.position,
    hits.grade

from hits

inner join new_places using (run_id, query_id, doc_id)
