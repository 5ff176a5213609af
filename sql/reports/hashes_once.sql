-- Whether no document stands twice for a query; hashes tell none that does from
-- two documents, but never the other way round.
with hashed as (

    select hash(staged.query_id, staged.doc_id) as document_hash

    from staged

)

select count(distinct hashed.document_hash) = count(*) as is_once

from hashed
