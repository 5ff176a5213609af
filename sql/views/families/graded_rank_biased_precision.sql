-- rbp: the gain of a reader who goes on to the next document with probability
-- p, where the gain of a document is its grade, divided by the highest grade of
-- the query if that is above 1 (Moffat & Zobel 2008, ACM TOIS 27(1); trec_eval's
-- form).
-- rbp_resid: how much the unjudged documents could add to rbp if all of them had the
-- highest grade: those in the run's ranking and, if there are any, those that would
-- follow after its end (the same).
with models as (

    select
        measures.measure,
        measures.family,
        -- rbp_resid does not take this option.
        coalesce(measures.judged_only, false) as judged_only,
        measures.known,
        measures.p

    from measures

    where measures.family in ('rbp', 'rbp_resid')

),

sums as (

    select
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        models.measure,
        count(*) as judged,
        sum(
            case models.family
                when 'rbp'
                    then
                        power(models.p, listed_hits.position - 1)
                        * listed_hits.grade
                        / greatest(best_grades.grade, 1)
                else power(models.p, listed_hits.position - 1)
            end
            order by listed_hits.position
        )
        * (1 - max(models.p)) as weight

    from listed_hits

    inner join models using (judged_only, known)

    inner join best_grades using (judgment_set_id, query_id, known)

    where listed_hits.grade >= 0

    group by
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        models.measure

)

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    models.measure,
    listed_queries.retrieved,
    case
        when models.family = 'rbp' then coalesce(sums.weight, 0)
        when listed_queries.listed = coalesce(sums.judged, 0) then 0
        else 1 - coalesce(sums.weight, 0)
    end as value,
    models.family = 'rbp'
    and coalesce(best_grades.grade <= 0, true) as nothing_relevant

from listed_queries

inner join models using (judged_only, known)

left join best_grades using (judgment_set_id, query_id, known)

left join sums using (run_id, judgment_set_id, query_id, measure)
