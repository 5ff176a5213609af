-- One row is a place that counts for a measure, with the discount of its position, by which the
-- gain is divided, and what it adds to the measure: the case is the column term of measures.csv.
with discounted as (
    select
        places.*,
        settings.* exclude (basis),
        relevant, not_relevant,
        discount_at(position, discount_kind, base) as discount
    from places
    inner join settings using (basis)
    left join relevant_counts using (judgment_set_id, query_id, basis)
    where
        position <= if(side = 'run', depth, ideal_depth)
        and (side = 'run' or (settings.ideal = 'perfect') = (judgment_set_id = 0))
)

select
    *,
    $terms as term
from discounted
