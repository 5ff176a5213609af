-- The staged judgments with those of their base, which stay where both judge a document
-- unless the base counts it as unjudged.
create or replace temp table staged as
with new_judgments as (
    from staged
    anti join (from base_judgments where grade >= 0) as judged using (query_id, doc_id)
)

from new_judgments
union all by name
from base_judgments
anti join new_judgments using (query_id, doc_id)
