-- One row is a ranking as seen by the measures of the gain family that differ
-- only in their cutoffs. It ends at the depth of the deepest of them and has
-- the name of that measure. is_cut is true if another of them ends it at a
-- smaller depth.
select
    gain_measures.list_measure,
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
    gain_measures.depth > gain_measures.shallowest_depth as is_cut

from gain_measures

where gain_measures.measure = gain_measures.list_measure
