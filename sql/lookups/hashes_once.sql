-- Whether all hashes of a staged document with its query differ. If they do, no
-- document is listed twice for a query; if not, two documents may still have
-- the same hash.
with hashed as (

    select hash(staged.query_id, staged.doc_id) as document_hash

    from staged

)

select count(distinct hashed.document_hash) = count(*) as is_once

from hashed
