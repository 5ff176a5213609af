-- Judged@k: the share of the first k documents (of all of them, where the run
-- returned fewer) that somebody judged; a negative grade means that nobody
-- did. It tells how far the other values can be trusted
-- (MacAvaney et al. 2022, ir-measures).
with parts as (

    select
        evaluated_queries.run_id,
        evaluated_queries.judgment_set_id,
        evaluated_queries.query_id,
        measures.measure,
        evaluated_queries.retrieved,
        case
            when measures.cutoff < evaluated_queries.retrieved
                then measures.cutoff
            else evaluated_queries.retrieved
        end as shown,
        cast(null as integer) as position

    from evaluated_queries

    cross join measures

    where measures.family = 'Judged'

    union all

    select
        hits.run_id,
        hits.judgment_set_id,
        hits.query_id,
        measures.measure,
        cast(null as bigint) as retrieved,
        cast(null as double) as shown,
        hits.position

    from hits

    inner join measures
        on measures.cutoff is null or hits.position <= measures.cutoff

    where
        measures.family = 'Judged'
        and hits.grade >= 0

)

select
    parts.run_id,
    parts.judgment_set_id,
    parts.query_id,
    parts.measure,
    max(parts.retrieved) as retrieved,
    case
        when max(parts.shown) > 0
            then count(parts.position) / max(parts.shown)
        else 0
    end as value,
    false as no_relevant

from parts

group by
    parts.run_id,
    parts.judgment_set_id,
    parts.query_id,
    parts.measure
