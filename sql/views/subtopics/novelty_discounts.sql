-- One row is the discount of a position for a measure that adds up the novel
-- gains of documents: alpha_DCG and alpha_nDCG discount by log2(position + 1),
-- ERR_IA and nERR_IA by the position, and NRBP and nNRBP by beta for each
-- document above.
with depths as (

    select positions.position

    from positions

    union

    select greedy_rankings.position

    from greedy_rankings

)

select
    subtopic_measures.measure,
    subtopic_measures.family,
    subtopic_measures.alpha,
    subtopic_measures.beta,
    subtopic_measures.rel,
    subtopic_measures.judged_only,
    subtopic_measures.known,
    subtopic_measures.cutoff,
    depths.position,
    case subtopic_measures.discount_kind
        when 'log2' then 1 / log2(depths.position + 1)
        when 'reciprocal' then 1 / depths.position
        else power(subtopic_measures.beta, depths.position - 1)
    end as discount

from subtopic_measures

inner join depths
    on subtopic_measures.depth >= depths.position

where subtopic_measures.discount_kind is not null
