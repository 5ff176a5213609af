-- One row is the gains and positions that one or more measures read (see settings).
select
    basis, reads, gain_scheme, rel, min_rel, max_rel, known, judged_only, tie_rule, tail,
    by_attribute,
    max(alpha) as alpha,
    max(ideal) filter (ideal <> 'perfect') as ideal,
    bool_or(has_own_ideal) as has_own_ideal,
    max(ideal_reach) as ideal_reach,
    max(depth) as depth,
    max(greedy_depth) as greedy_depth
from settings
group by all
