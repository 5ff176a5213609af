-- The first documents of each query, of those that are fused.
from source_rows
qualify row_number() over (partition by query_id order by score desc, doc_id desc) <= $depth
