-- The documents that runs show for judged queries; others have no values.
select source_rows.*

from source_rows

semi join tuned_queries using (query_id)
