-- The rows of gain_measures, of which those that differ by their cutoffs alone
-- look at the list of the deepest of them.
select
    gain_measures.measure,
    gain_measures.family,
    gain_measures.cutoff,
    gain_measures.depth,
    gain_measures.ideal_depth,
    gain_measures.dcg,
    gain_measures.base,
    gain_measures.ideal,
    gain_measures.ties,
    gain_measures.judged_only,
    gain_measures.gain_scheme,
    gain_measures.rel,
    first_value(gain_measures.measure) over (
        alike
        order by
            gain_measures.depth desc,
            gain_measures.measure asc
    ) as deepest,
    min(gain_measures.depth) over alike as shallowest_depth

from gain_measures

window alike as (
    partition by
        gain_measures.dcg,
        gain_measures.base,
        gain_measures.ideal,
        gain_measures.ties,
        gain_measures.judged_only,
        gain_measures.gain_scheme,
        gain_measures.rel,
        -- This one depends on the cutoff.
        case when gain_measures.ideal = 'topk' then gain_measures.cutoff end
)
