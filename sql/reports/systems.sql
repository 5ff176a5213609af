-- One row is a measure as another system computes it, for all cutoffs k.
select
    conventions.system,
    conventions.measure,
    conventions.positions,
    conventions.difference,
    conventions.source
from conventions
order by conventions.rowid
