-- The measures that add up a term for each relevant document among the first k.
-- RBP@k, rank-biased precision: the gain of a reader who goes on to the next
-- document with probability p (Moffat & Zobel 2008, ACM TOIS 27(1)).
-- binG: the mean, over all relevant documents, of 1 / log2(2 + the number of documents
-- above that are not relevant); a document that was not returned counts 0 (trec_eval).
-- Accuracy@k: the share of pairs in which the relevant document is above the other
-- one, among all pairs of a relevant document and one that is not relevant, judged or
-- not, in the first k. It is 1 if all of the first k documents are relevant, and 0
-- if none is (MacAvaney et al. 2022, ir-measures).
with sums as (

    select
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure,
        sum(
            case relevant_hits.family
                when 'RBP' then power(measures.p, relevant_hits.position - 1)
                when 'binG'
                    then
                        1
                        / log2(
                            2 + relevant_hits.position - relevant_hits.found
                        )
                -- The pairs in which the relevant document is below.
                else
                    cast(
                        relevant_hits.position - relevant_hits.found as double
                    )
            end
            order by relevant_hits.position
        ) as term_sum

    from relevant_hits

    inner join measures using (measure)

    where relevant_hits.family in ('RBP', 'binG', 'Accuracy')

    group by
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure

),

counts as (

    select
        relevance_counts.run_id,
        relevance_counts.judgment_set_id,
        relevance_counts.query_id,
        relevance_counts.measure,
        relevance_counts.family,
        relevance_counts.retrieved,
        relevance_counts.relevant,
        relevance_counts.found,
        least(
            coalesce(relevance_counts.cutoff, relevance_counts.listed),
            relevance_counts.listed
        )
        - relevance_counts.found as not_relevant

    from relevance_counts

    where relevance_counts.family in ('RBP', 'binG', 'Accuracy')

)

select
    counts.run_id,
    counts.judgment_set_id,
    counts.query_id,
    counts.measure,
    counts.retrieved,
    case
        when counts.found = 0 then 0
        when counts.family = 'RBP' then sums.term_sum * (1 - measures.p)
        when counts.family = 'binG' then sums.term_sum / counts.relevant
        when counts.not_relevant = 0 then 1
        else 1 - sums.term_sum / (counts.found * counts.not_relevant)
    end as value,
    counts.relevant = 0 as nothing_relevant

from counts

inner join measures using (measure)

left join sums using (run_id, judgment_set_id, query_id, measure)
