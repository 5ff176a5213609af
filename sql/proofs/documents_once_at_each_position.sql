-- run {run}, query {query}: a document is ranked twice, or the positions are
-- not 1, 2, 3 and so on; remove the run, and load it again
select
    coalesce(runs.name, cast(rankings.run_id as varchar)) as run,
    rankings.query_id as query

from rankings

left join runs using (run_id)

group by
    rankings.run_id,
    rankings.query_id,
    runs.name

having
    count(distinct rankings.doc_id) <> count(*)
    or count(distinct rankings.position) <> count(*)
    or max(rankings.position) <> count(*)

order by
    rankings.run_id,
    rankings.query_id
