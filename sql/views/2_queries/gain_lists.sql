-- One row is what measures of the gain family look at that differ by their
-- cutoffs alone: as far as the deepest of them, whose name it has.
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
    gain_measures.rel

from gain_measures

where gain_measures.measure = gain_measures.deepest
