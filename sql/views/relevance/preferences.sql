-- One row is a query of an evaluation under Bpref or gm_bpref for which the run
-- returned relevant documents. preferred is the sum, over these documents, of
-- how rarely documents judged not relevant are above them (Buckley & Voorhees
-- 2004, SIGIR; trec_eval's form).
with not_relevant_documents as (

    select
        listed_judgments.judgment_set_id,
        listed_judgments.query_id,
        relevance_measures.measure,
        relevance_measures.family,
        count(*) as not_relevant

    from listed_judgments

    inner join relevance_measures
        on
            listed_judgments.known = relevance_measures.known
            and listed_judgments.grade < relevance_measures.rel

    where
        relevance_measures.family in ('Bpref', 'gm_bpref')
        and listed_judgments.grade >= 0

    group by
        listed_judgments.judgment_set_id,
        listed_judgments.query_id,
        relevance_measures.measure,
        relevance_measures.family

)

select
    judged_above.run_id,
    judged_above.judgment_set_id,
    judged_above.query_id,
    judged_above.measure,
    judged_above.family,
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

inner join relevant_documents using (judgment_set_id, query_id, measure, family)

left join not_relevant_documents
    on
        judged_above.judgment_set_id
        = not_relevant_documents.judgment_set_id
        and judged_above.query_id = not_relevant_documents.query_id
        and judged_above.measure = not_relevant_documents.measure
        and judged_above.family = not_relevant_documents.family

where
    judged_above.family in ('Bpref', 'gm_bpref')
    and judged_above.is_relevant

group by
    judged_above.run_id,
    judged_above.judgment_set_id,
    judged_above.query_id,
    judged_above.measure,
    judged_above.family
