-- One row is what measures of the gain family look at that differ by their
-- cutoffs alone: as far as the deepest of them, whose name it has. is_cut tells
-- whether others end it further up.
select
    gain_measures.deepest,
    gain_measures.depth,
    gain_measures.ideal_depth,
    gain_measures.dcg,
    gain_measures.base,
    gain_measures.ideal,
    gain_measures.ties,
    gain_measures.judged_only,
    gain_measures.gain_scheme,
    gain_measures.rel,
    gain_measures.depth > gain_measures.shallowest_depth as is_cut

from gain_measures

where gain_measures.measure = gain_measures.deepest
