-- One row is a judged query of an evaluation under a measure of judged
-- documents: how many documents the run shows within the cutoff, and how many
-- of them are judged, or with rel judged not relevant. A negative grade counts as
-- unjudged.
with judged as (

    select
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        measures.measure,
        measures.family,
        count(*) as judged

    from listed_hits

    inner join measures using (known)

    where
        measures.family in ('Judged', 'unj', 'num_nonrel_judged_ret')
        and (measures.cutoff is null or listed_hits.position <= measures.cutoff)
        and (measures.rel is null or listed_hits.grade < measures.rel)
        and not listed_hits.judged_only
        and listed_hits.grade >= 0

    group by
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        measures.measure,
        measures.family

)

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    measures.measure,
    measures.family,
    listed_queries.retrieved,
    measures.cutoff,
    listed_queries.listed,
    least(
        coalesce(measures.cutoff, listed_queries.listed),
        listed_queries.listed
    ) as shown,
    coalesce(judged.judged, 0) as judged

from listed_queries

inner join measures using (known)

left join judged using (run_id, judgment_set_id, query_id, measure, family)

where
    measures.family in ('Judged', 'unj', 'num_nonrel_judged_ret')
    and not listed_queries.judged_only
