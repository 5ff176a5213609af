-- One row is a place that counts for a measure, with the discount of its position, by which the
-- gain is divided: log_base(position + 1), or (jk) 1 above position base and log_base(position)
-- from there on (Järvelin & Kekäläinen 2002).
select
    places.*,
    settings.* exclude (basis),
    relevant, not_relevant,
    case
        when discount_kind = 'log2' then log2(position + 1) / log2(base)
        when position < base then 1
        else log2(position) / log2(base)
    end as discount
from places
inner join settings using (basis)
left join relevant_counts using (judgment_set_id, query_id, basis)
where
    position <= if(side = 'run', depth, ideal_depth)
    and (side = 'run' or settings.ideal is not null)
