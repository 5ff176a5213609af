-- The first weight whose point may separate thousands, its line, and a weight below
-- 1000 without a point, if any; no row unless all weights are of these two kinds.
-- A zero shows nothing, and is left out.
with weights as (

    select
        staged.line_number,
        staged.weight_text,
        regexp_full_match(
            staged.weight_text, '[1-9][0-9]{0,2}([.][0-9]{3})+'
        ) as is_grouped,
        regexp_full_match(staged.weight_text, '[1-9][0-9]{0,2}') as is_small

    from staged

    where not regexp_full_match(coalesce(staged.weight_text, ''), '0*')

)

select
    min(weights.line_number) filter (where weights.is_grouped) as line_number,
    min_by(weights.weight_text, weights.line_number) filter (
        where weights.is_grouped
    ) as weight_text,
    min_by(weights.weight_text, weights.line_number) filter (
        where weights.is_small
    ) as small_text

from weights

having
    bool_and(weights.is_grouped or weights.is_small)
    and bool_or(weights.is_grouped)
