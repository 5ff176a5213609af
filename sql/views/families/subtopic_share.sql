-- The measures of subtopics: the sum of the terms that documents add for the
-- subtopics that they are relevant to (see subtopic_terms), divided by what
-- could be had (see subtopic_divisors). alpha_DCG and alpha_nDCG (Clarke et al.
-- 2008, SIGIR), ERR_IA and nERR_IA (Chapelle et al. 2011, Information Retrieval
-- 14), NRBP and nNRBP (Clarke, Kolla & Vechtomova 2009, ICTIR), P_IA and AP_IA
-- (Agrawal et al. 2009, WSDM), StRecall (Zhai et al. 2003, SIGIR).
with sums as (

    select
        subtopic_documents.run_id,
        subtopic_documents.judgment_set_id,
        subtopic_documents.query_id,
        subtopic_documents.measure,
        sum(
            subtopic_documents.term
            order by subtopic_documents.position
        ) as term_sum

    from subtopic_documents

    group by
        subtopic_documents.run_id,
        subtopic_documents.judgment_set_id,
        subtopic_documents.query_id,
        subtopic_documents.measure

)

select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    coalesce(sums.term_sum / subtopic_divisors.divisor, 0) as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

inner join subtopic_measures using (measure)

left join subtopic_divisors using (judgment_set_id, query_id, measure)

left join sums using (run_id, judgment_set_id, query_id, measure)
