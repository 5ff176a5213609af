-- One row is a dataset with judgments, if some measure takes known documents out
-- (known='omit'). A join with this reads nothing if no measure does.
with omitting as (

    select distinct measures.known

    from measures

    where measures.known = 'omit'

)

select distinct judgment_sets.dataset

from judgment_sets

cross join omitting
