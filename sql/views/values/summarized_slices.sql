-- One row is the value of a registered measure for a slice of an evaluation that
-- rests on values of queries, plain and weighted (see summarized_parts).
select
    summarized_parts.run_id,
    summarized_parts.run,
    summarized_parts.judgment_set_id,
    summarized_parts.attribute,
    summarized_parts.slice,
    summarized_parts.measure,
    summarized_parts.value,
    summarized_parts.weighted_value,
    summarized_parts.n,
    summarized_parts.weighted_n,
    summarized_parts.answered,
    summarized_parts.unanswered,
    summarized_parts.no_relevant,
    summarized_parts.standard_error

from summarized_parts

where summarized_parts.is_sliced
