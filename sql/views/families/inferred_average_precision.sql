-- infAP: the expected average precision if only a sample of the pool was
-- judged; a negative grade marks a document that was in the pool but not in the
-- sample (Yilmaz & Aslam 2006, CIKM; trec_eval's form).
with inferred as (

    select
        judged_above.run_id,
        judged_above.judgment_set_id,
        judged_above.query_id,
        judged_above.measure,
        sum(
            case
                when judged_above.position = 1 then 1
                else
                    1 / judged_above.position
                    + (judged_above.position - 1)
                    / judged_above.position
                    * (
                        (
                            judged_above.relevant_above
                            + judged_above.not_relevant_above
                            + judged_above.negative_above
                        )
                        / (judged_above.position - 1)
                    )
                    * (
                        (judged_above.relevant_above + 0.00001)
                        / (
                            judged_above.relevant_above
                            + judged_above.not_relevant_above
                            + 0.00002
                        )
                    )
            end
            order by judged_above.position
        ) as precision_sum

    from judged_above

    where
        judged_above.family = 'infAP'
        and judged_above.is_relevant

    group by
        judged_above.run_id,
        judged_above.judgment_set_id,
        judged_above.query_id,
        judged_above.measure

)

select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.relevant > 0
            then coalesce(inferred.precision_sum, 0) / relevance_counts.relevant
        else 0
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

left join inferred using (run_id, judgment_set_id, query_id, measure)

where relevance_counts.family = 'infAP'
