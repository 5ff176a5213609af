-- rbp: the gain of a reader who goes on to the next document with probability
-- p, where the gain of a document is its grade, divided by the highest grade of
-- the query if that is above 1 (Moffat & Zobel 2008, ACM TOIS 27(1);
-- trec_eval's form).
with highest as (

    select
        judgments.judgment_set_id,
        judgments.query_id,
        max(judgments.grade) as grade

    from judgments

    group by
        judgments.judgment_set_id,
        judgments.query_id

),

gained as (

    select
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        measures.measure,
        sum(
            power(measures.p, listed_hits.position - 1)
            * listed_hits.grade
            / greatest(highest.grade, 1)
            order by listed_hits.position
        )
        * (1 - max(measures.p)) as gain_sum

    from listed_hits

    inner join measures using (judged_only)

    inner join highest using (judgment_set_id, query_id)

    where
        measures.family = 'rbp'
        and listed_hits.grade > 0

    group by
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        measures.measure

)

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    measures.measure,
    listed_queries.retrieved,
    coalesce(gained.gain_sum, 0) as value,
    highest.grade <= 0 as nothing_relevant

from listed_queries

inner join measures using (judged_only)

inner join highest using (judgment_set_id, query_id)

left join gained using (run_id, judgment_set_id, query_id, measure)

where measures.family = 'rbp'
