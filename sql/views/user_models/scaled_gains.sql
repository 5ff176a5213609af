-- One row is a document that a run returned and that gains something under a
-- measure of scaled grades (see scaled_measures), at its position in the
-- ranking. Unjudged documents, including those with a negative grade, gain
-- nothing.
select
    listed_hits.run_id,
    listed_hits.judgment_set_id,
    listed_hits.query_id,
    scaled_measures.measure,
    scaled_measures.family,
    listed_hits.position,
    case
        when listed_hits.grade >= scaled_measures.max_rel then 1
        else
            (listed_hits.grade - scaled_measures.min_rel)
            / (scaled_measures.max_rel - scaled_measures.min_rel)
    end as gain

from listed_hits

inner join scaled_measures using (judged_only, known)

where
    listed_hits.position <= scaled_measures.depth
    and listed_hits.grade >= 0
    and listed_hits.grade > scaled_measures.min_rel
