-- One row is what a table has for one run, set or dataset, or for all of them
-- (see the columns that it has): a fingerprint of its rows, and their number.
select
    $relation as table_name,
    columns(
        lambda column_name: column_name in (
            'whole', 'dataset', 'run_id', 'newer_run_id', 'judgment_set_id', 'assessment_set_id'
        )
    ),
    bit_xor(fingerprint) as fingerprint,
    count(*) as size
from (
    select
        stored.*,
        hash(stored) as fingerprint,
        true as whole
    from query_table($relation) as stored
) as marked
group by all
