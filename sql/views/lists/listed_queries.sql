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
        listed_hits.known,
        count(*) as listed

    from listed_hits

    where listed_hits.judged_only

    group by
        listed_hits.run_id,
        listed_hits.run,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        listed_hits.judged_only,
        listed_hits.known

),

new_lists as (

    select
        new_places.run_id,
        new_places.run,
        new_places.query_id,
        -- A condition on the other side alone would compare all pairs of rows.
        'omit' as known,
        count(*) as listed

    from new_places

    group by
        new_places.run_id,
        new_places.run,
        new_places.query_id

),

lists as (

    select distinct
        coalesce(measures.judged_only, false) as judged_only,
        measures.known

    from measures

)

select
    evaluated_queries.run_id,
    evaluated_queries.run,
    evaluated_queries.judgment_set_id,
    evaluated_queries.query_id,
    lists.judged_only,
    lists.known,
    evaluated_queries.retrieved,
    case
        when lists.judged_only then coalesce(condensed.listed, 0)
        when lists.known = 'omit' then coalesce(new_lists.listed, 0)
        else evaluated_queries.retrieved
    end as listed

from evaluated_queries

cross join lists

left join condensed
    using (run_id, run, judgment_set_id, query_id, judged_only, known)

left join new_lists using (run_id, run, query_id, known)

-- The known documents of a ranking that is elsewhere cannot be taken out.
where
    lists.known = 'keep'
    or evaluated_queries.run_id not in (
        select external_evaluations.run_id
        from external_evaluations
    )
