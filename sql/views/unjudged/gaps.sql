-- One row is a gap in the judgments of a run's ranking: consecutive unjudged
-- documents, with a judged document or an end of the ranking above and below.
with ends as (

    select
        hits.run_id,
        runs.name as run,
        hits.judgment_set_id,
        hits.query_id,
        hits.position

    from hits

    inner join runs using (run_id)

    where hits.grade >= 0

    union all

    select
        evaluated_queries.run_id,
        evaluated_queries.run,
        evaluated_queries.judgment_set_id,
        evaluated_queries.query_id,
        evaluated_queries.retrieved + 1 as position

    from evaluated_queries

    where evaluated_queries.retrieved > 0

),

numbered as (

    select
        ends.run_id,
        ends.run,
        ends.judgment_set_id,
        ends.query_id,
        coalesce(
            lag(ends.position) over down, 0
        ) + 1 as first_unjudged,
        ends.position - 1 as last_unjudged,
        row_number() over down - 1 as judged_above

    from ends

    window
        down as (
            partition by
                ends.run_id,
                ends.run,
                ends.judgment_set_id,
                ends.query_id
            order by ends.position
        )

)

select
    numbered.run_id,
    numbered.run,
    numbered.judgment_set_id,
    numbered.query_id,
    numbered.first_unjudged,
    numbered.last_unjudged,
    numbered.judged_above

from numbered

where numbered.first_unjudged <= numbered.last_unjudged
