-- One row is a registered measure with its parameters spelled out. Measures that read the same
-- gains at the same positions share a basis, so that these are found once. depth is the last
-- position that counts, ideal_depth that of the ideal list, and greedy_depth how deep a greedy
-- ideal is searched: what nNRBP has below is worth less than 1e-20.
with spelled_out as (
    select
        measures.* exclude (rel, judged_only, ideal, base),
        families.reads, families.relation, families.always_counts,
        measures.rel as stated_rel,
        coalesce(measures.judged_only, false) as judged_only,
        coalesce(measures.gains, families.gain, if(dcg_kind like 'exp%', 'exp', 'linear'))
            as gain_scheme,
        coalesce(
            measures.rel,
            if(coalesce(measures.gains, families.gain) in ('binary', 'not relevant'), 1, 0)
        ) as rel,
        coalesce(measures.ideal, families.ideal) as ideal,
        coalesce(measures.ideal in ('retrieved', 'topk', 'returned'), false) as has_own_ideal,
        if(dcg_kind like '%jk', 'jk', 'log2') as discount_kind,
        coalesce(base, 2) as base,
        coalesce(cutoff, if(min_rel is null, 1e9, 1000)) as depth
    from measures
    inner join $families as families using (family)
)

select
    * exclude (ideal),
    if(ideal = 'uncut', 'judged', ideal) as ideal,
    if(ideal = 'uncut', 1e9, depth) as ideal_depth,
    if(ideal = 'topk', depth, 1e9) as ideal_reach,
    case
        when ideal = 'greedy' and beta = 0 then 1
        when ideal = 'greedy' then least(depth, coalesce(1 - 46.1 / ln(beta), depth))
    end as greedy_depth,
    dense_rank() over (
        order by
            gain_scheme, rel, min_rel, max_rel, judged_only, known, tie_rule, tail, by_attribute,
            if(reads = 'subtopics', alpha, null),
            if(has_own_ideal, ideal, null),
            if(ideal = 'topk', depth, null)
    ) as basis
from spelled_out
