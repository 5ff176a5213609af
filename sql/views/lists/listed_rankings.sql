-- One row is a document in the ranking that the run returned (known is keep), or
-- in the one that is left without documents that the query knows (omit).
select
    rankings.run_id,
    runs.name as run,
    rankings.query_id,
    rankings.doc_id,
    'keep' as known,
    rankings.position

from rankings

inner join runs using (run_id)

union all

select
    new_places.run_id,
    new_places.run,
    new_places.query_id,
    new_places.doc_id,
    'omit' as known,
    new_places.position

from new_places
