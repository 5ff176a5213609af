-- The rows of gain_measures, but measures that differ only in their cutoffs
-- share the ranking of the deepest of them, and only those that fit the
-- judgment set are included.
select
    gain_measures.measure,
    gain_measures.family,
    gain_measures.cutoff,
    gain_measures.depth,
    gain_measures.ideal_depth,
    gain_measures.dcg_kind,
    gain_measures.base,
    gain_measures.ideal,
    gain_measures.tie_rule,
    gain_measures.judged_only,
    gain_measures.known,
    gain_measures.gain_scheme,
    gain_measures.rel,
    first_value(gain_measures.measure) over (
        alike
        order by
            gain_measures.depth desc,
            gain_measures.measure asc
    ) as list_measure,
    min(gain_measures.depth) over alike as shallowest_depth

from gain_measures

where
    gain_measures.measure in (
        select fitting_measures.measure
        from fitting_measures
    )

window alike as (
    partition by
        gain_measures.dcg_kind,
        gain_measures.base,
        gain_measures.ideal,
        gain_measures.tie_rule,
        gain_measures.judged_only,
        gain_measures.known,
        gain_measures.gain_scheme,
        gain_measures.rel,
        -- This ideal ranking depends on the cutoff.
        case when gain_measures.ideal = 'topk' then gain_measures.cutoff end
)
