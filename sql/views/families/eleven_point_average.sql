-- 11pt_avg: the mean of the interpolated precision at eleven points, where 0,
-- 10, 20 ... 100 % of the relevant documents were found (see IPrec; Salton &
-- McGill 1983, Introduction to Modern Information Retrieval).
with points as (

    select
        relevance_counts.run_id,
        relevance_counts.judgment_set_id,
        relevance_counts.query_id,
        relevance_counts.measure,
        relevance_counts.rel,
        relevance_counts.judged_only,
        relevance_counts.known,
        levels.level,
        greatest(
            1,
            floor(levels.level * relevance_counts.relevant + measures.rounding)
        ) as found

    from relevance_counts

    inner join measures using (measure)

    cross join (
        values
        (cast(0 as double)),
        (cast(0.1 as double)),
        (cast(0.2 as double)),
        (cast(0.3 as double)),
        (cast(0.4 as double)),
        (cast(0.5 as double)),
        (cast(0.6 as double)),
        (cast(0.7 as double)),
        (cast(0.8 as double)),
        (cast(0.9 as double)),
        (cast(1 as double))
    ) as levels (level)

    where relevance_counts.family = '11pt_avg'

),

averages as (

    select
        points.run_id,
        points.judgment_set_id,
        points.query_id,
        points.measure,
        sum(relevant_places.best_precision order by points.level)
        / 11 as average

    from points

    inner join relevant_places
        using (
            run_id,
            judgment_set_id,
            query_id,
            rel,
            judged_only,
            known,
            found
        )

    group by
        points.run_id,
        points.judgment_set_id,
        points.query_id,
        points.measure

)

select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    coalesce(averages.average, 0) as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

left join averages using (run_id, judgment_set_id, query_id, measure)

where relevance_counts.family = '11pt_avg'
