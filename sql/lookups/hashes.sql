-- One row is the hash of a staged document with its query, in one of $parts
-- disjoint parts of about the same size.
with hashed as (
    select hash(staged.query_id, staged.doc_id) as document_hash
    from staged
)

select hashed.document_hash
from hashed
-- Without the casts, DuckDB would calculate with 128-bit numbers.
where hashed.document_hash % cast($parts as ubigint) = cast($part as ubigint)
