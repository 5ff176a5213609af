-- One row is a name of a registered measure: its canonical name, a name that
-- another tool gives it, or either in lower case. Join on name to find a
-- measure by any of its names.
select
    measure_names.measure_name, measure_names.measure
from store.measure_names
