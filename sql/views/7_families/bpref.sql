-- Bpref: how rarely documents judged not relevant stand above relevant ones;
-- documents that nobody judged do not matter, those beyond the R-th that is
-- not relevant neither (Buckley & Voorhees 2004, SIGIR; trec_eval's form).
with judged as (

    select
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        relevance_measures.measure,
        listed_hits.position,
        listed_hits.grade >= relevance_measures.rel as is_relevant,
        sum(
            case
                when listed_hits.grade < relevance_measures.rel then 1
                else 0
            end
        ) over (
            partition by
                listed_hits.run_id,
                listed_hits.judgment_set_id,
                listed_hits.query_id,
                relevance_measures.measure
            order by listed_hits.position
            rows between unbounded preceding and current row
        ) as not_relevant_above

    from listed_hits

    inner join relevance_measures
        on listed_hits.judged_only = relevance_measures.judged_only

    where
        relevance_measures.family = 'Bpref'
        and listed_hits.grade >= 0

),

pools as (

    select
        judgments.judgment_set_id,
        judgments.query_id,
        relevance_measures.measure,
        sum(
            case
                when judgments.grade >= relevance_measures.rel then 1
                else 0
            end
        ) as relevant,
        sum(
            case when judgments.grade < relevance_measures.rel then 1 else 0 end
        ) as not_relevant

    from judgments

    cross join relevance_measures

    where
        relevance_measures.family = 'Bpref'
        and judgments.grade >= 0

    group by
        judgments.judgment_set_id,
        judgments.query_id,
        relevance_measures.measure

),

found as (

    select
        judged.run_id,
        judged.judgment_set_id,
        judged.query_id,
        judged.measure,
        sum(
            case
                when judged.not_relevant_above = 0 then 1
                else
                    1
                    - least(judged.not_relevant_above, pools.relevant)
                    / least(pools.not_relevant, pools.relevant)
            end
            order by judged.position
        ) as preferred

    from judged

    inner join pools
        on
            judged.judgment_set_id = pools.judgment_set_id
            and judged.query_id = pools.query_id
            and judged.measure = pools.measure

    where judged.is_relevant

    group by
        judged.run_id,
        judged.judgment_set_id,
        judged.query_id,
        judged.measure

)

select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.relevant > 0
            then coalesce(found.preferred, 0) / relevance_counts.relevant
        else 0
    end as value,
    relevance_counts.relevant = 0 as no_relevant

from relevance_counts

left join found
    on
        relevance_counts.run_id = found.run_id
        and relevance_counts.judgment_set_id = found.judgment_set_id
        and relevance_counts.query_id = found.query_id
        and relevance_counts.measure = found.measure

where relevance_counts.family = 'Bpref'
