-- run {run}, query {query}: a document is ranked twice, or the positions are
-- not 1, 2, 3 and so on; remove the run, and load it again
with marks as not materialized (

    select
        rankings.run_id,
        rankings.query_id,
        hash(rankings.run_id, rankings.query_id, rankings.doc_id) as mark

    from rankings

    union all

    select
        rankings.run_id,
        rankings.query_id,
        hash(rankings.run_id, rankings.query_id, rankings.position) as mark

    from rankings

),

repeated as (

    select marks.mark

    from marks

    group by marks.mark

    having count(*) > 1

),

-- What is there twice has the same hash twice. Other hashes may be the same, so
-- that these queries are looked at again, by the ids themselves.
suspects as (

    select
        marks.run_id,
        marks.query_id

    from marks

    semi join repeated using (mark)

    union

    select
        rankings.run_id,
        rankings.query_id

    from rankings

    group by
        rankings.run_id,
        rankings.query_id

    having
        min(rankings.position) <> 1
        or max(rankings.position) <> count(*)

)

select
    coalesce(runs.name, cast(rankings.run_id as varchar)) as run,
    rankings.query_id as query

from rankings

semi join suspects using (run_id, query_id)

left join runs using (run_id)

group by
    rankings.run_id,
    rankings.query_id,
    runs.name

having
    count(distinct rankings.doc_id) <> count(*)
    or count(distinct rankings.position) <> count(*)
    or min(rankings.position) <> 1
    or max(rankings.position) <> count(*)

order by
    rankings.run_id,
    rankings.query_id
