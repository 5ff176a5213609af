-- One row is a judged query of an evaluation, for each kind of ranking (see
-- listed_hits). listed is the length of that ranking; retrieved is the length
-- of the ranking that the run returned, or 0 if it did not answer.
with condensed as (

    select
        listed_hits.run_id,
        listed_hits.run,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        listed_hits.judged_only,
        count(*) as listed

    from listed_hits

    where listed_hits.judged_only

    group by
        listed_hits.run_id,
        listed_hits.run,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        listed_hits.judged_only

),

lists as (

    select distinct coalesce(measures.judged_only, false) as judged_only

    from measures

)

select
    evaluated_queries.run_id,
    evaluated_queries.run,
    evaluated_queries.judgment_set_id,
    evaluated_queries.query_id,
    lists.judged_only,
    evaluated_queries.retrieved,
    case
        when lists.judged_only then coalesce(condensed.listed, 0)
        else evaluated_queries.retrieved
    end as listed

from evaluated_queries

cross join lists

left join condensed using (run_id, run, judgment_set_id, query_id, judged_only)
