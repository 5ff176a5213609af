-- The same rows with their scores. What the runs give a document becomes terms, null for
-- a run that does not show it, and they become a score: formulas of methods.csv.
with termed as (
    select
        *,
        cast($k as double) as k,
        $weight_columns,
        $term_columns
    from source_rows
),

combined as (
    select
        *,
        $sum as added,
        greatest($terms) as highest,
        least($terms) as lowest,
        list_median([$terms]) as middle,
        $count as shown
    from termed
)

select
    *,
    $score as score
from combined
