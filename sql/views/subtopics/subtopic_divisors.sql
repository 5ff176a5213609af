-- One row is a query with relevant documents in a judgment set with subtopics,
-- and what the sum of terms is divided by for a measure of subtopics (see
-- subtopic_terms): the sum of the greedy ideal ranking, or that of documents
-- that are all relevant to all subtopics, or the number of subtopics, times the
-- cutoff for P_IA.
with limits as (

    select
        novelty_discounts.measure,
        case
            when novelty_discounts.family = 'NRBP'
                then
                    1
                    / (
                        1
                        - (1 - max(novelty_discounts.alpha))
                        * max(novelty_discounts.beta)
                    )
            else
                sum(
                    power(
                        1 - novelty_discounts.alpha,
                        novelty_discounts.position - 1
                    )
                    * novelty_discounts.discount
                    order by novelty_discounts.position
                )
        end as gain_limit

    from novelty_discounts

    where novelty_discounts.family in ('alpha_DCG', 'ERR_IA', 'NRBP')

    group by
        novelty_discounts.measure,
        novelty_discounts.family

)

select
    greedy_rankings.judgment_set_id,
    greedy_rankings.query_id,
    novelty_discounts.measure,
    'ideal ranking' as divided_by,
    sum(
        greedy_rankings.gain * novelty_discounts.discount
        order by greedy_rankings.position
    ) as divisor

from greedy_rankings

inner join novelty_discounts using (alpha, rel, known, position)

where novelty_discounts.family in ('alpha_nDCG', 'nERR_IA', 'nNRBP')

group by
    greedy_rankings.judgment_set_id,
    greedy_rankings.query_id,
    novelty_discounts.measure

union all

select
    subtopic_counts.judgment_set_id,
    subtopic_counts.query_id,
    subtopic_measures.measure,
    case
        when limits.measure is not null
            then 'documents relevant to all subtopics'
        when subtopic_measures.family = 'P_IA' then 'subtopics x cutoff'
        else 'subtopics'
    end as divided_by,
    subtopic_counts.subtopic_count
    * case
        when limits.measure is not null then limits.gain_limit
        when subtopic_measures.family = 'P_IA' then subtopic_measures.cutoff
        else 1
    end as divisor

from subtopic_counts

inner join subtopic_measures using (rel, known)

left join limits using (measure)

where
    subtopic_measures.family not in ('alpha_nDCG', 'nERR_IA', 'nNRBP')
