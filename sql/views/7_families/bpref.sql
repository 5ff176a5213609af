-- Bpref (and gm_bpref, its geometric mean over queries): how rarely documents judged not relevant stand above relevant ones;
-- documents that nobody judged do not matter, those beyond the R-th that is
-- not relevant neither (Buckley & Voorhees 2004, SIGIR; trec_eval's form).
with not_relevant_documents as (

    select
        judgments.judgment_set_id,
        judgments.query_id,
        relevance_measures.measure,
        count(*) as not_relevant

    from judgments

    inner join relevance_measures
        on judgments.grade < relevance_measures.rel

    where
        relevance_measures.family in ('Bpref', 'gm_bpref')
        and judgments.grade >= 0

    group by
        judgments.judgment_set_id,
        judgments.query_id,
        relevance_measures.measure

),

preferred as (

    select
        judged_above.run_id,
        judged_above.judgment_set_id,
        judged_above.query_id,
        judged_above.measure,
        sum(
            case
                when judged_above.not_relevant_above = 0 then 1
                else
                    1
                    - least(
                        judged_above.not_relevant_above,
                        relevant_documents.relevant
                    )
                    / least(
                        not_relevant_documents.not_relevant,
                        relevant_documents.relevant
                    )
            end
            order by judged_above.position
        ) as preferred

    from judged_above

    inner join relevant_documents
        on
            judged_above.judgment_set_id = relevant_documents.judgment_set_id
            and judged_above.query_id = relevant_documents.query_id
            and judged_above.measure = relevant_documents.measure
            and judged_above.family = relevant_documents.family

    left join not_relevant_documents
        on
            judged_above.judgment_set_id
            = not_relevant_documents.judgment_set_id
            and judged_above.query_id = not_relevant_documents.query_id
            and judged_above.measure = not_relevant_documents.measure

    where
        judged_above.family in ('Bpref', 'gm_bpref')
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
            then coalesce(preferred.preferred, 0) / relevance_counts.relevant
        else 0
    end as value,
    relevance_counts.relevant = 0 as no_relevant

from relevance_counts

left join preferred
    on
        relevance_counts.run_id = preferred.run_id
        and relevance_counts.judgment_set_id = preferred.judgment_set_id
        and relevance_counts.query_id = preferred.query_id
        and relevance_counts.measure = preferred.measure

where relevance_counts.family in ('Bpref', 'gm_bpref')
