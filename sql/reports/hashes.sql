-- One row is the hash of a staged document with its query; $parts parts of these
-- have none in common, and each about as many.
with hashed as (

    select hash(staged.query_id, staged.doc_id) as document_hash

    from staged

)

select hashed.document_hash

from hashed

-- Without the casts it would be calculated with numbers of 128 bits.
where
    hashed.document_hash % cast($parts as ubigint) = cast($part as ubigint)
