-- rbp: the gain of a reader who goes on to the next document with probability
-- p, where the gain of a document is its grade, divided by the highest grade of
-- the query if that is above 1 (Moffat & Zobel 2008, ACM TOIS 27(1);
-- trec_eval's form).
with highest as (

    select
        listed_judgments.judgment_set_id,
        listed_judgments.query_id,
        listed_judgments.known,
        max(listed_judgments.grade) as grade

    from listed_judgments

    group by
        listed_judgments.judgment_set_id,
        listed_judgments.query_id,
        listed_judgments.known

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

    inner join measures using (judged_only, known)

    inner join highest using (judgment_set_id, query_id, known)

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
    -- All judged documents of the query may be known.
    coalesce(highest.grade <= 0, true) as nothing_relevant

from listed_queries

inner join measures using (judged_only, known)

left join highest using (judgment_set_id, query_id, known)

left join gained using (run_id, judgment_set_id, query_id, measure)

where measures.family = 'rbp'
