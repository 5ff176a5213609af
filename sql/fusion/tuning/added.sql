-- The terms of a document added up in the order of fusion/steps/added, so that
-- scores are the same to the last bit.
select
    source_rows.*,
    (
        (coalesce(source_rows.term_1, 0) + coalesce(source_rows.term_2, 0))
        + (coalesce(source_rows.term_3, 0) + coalesce(source_rows.term_4, 0))
    ) + (
        (coalesce(source_rows.term_5, 0) + coalesce(source_rows.term_6, 0))
        + (coalesce(source_rows.term_7, 0) + coalesce(source_rows.term_8, 0))
    ) as score

from source_rows
