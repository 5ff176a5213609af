-- One row is what a registered measure needs beside judgments and hits: the
-- whole rankings of a run (rankings), or what the dataset has of known documents
-- (known), of documents (documents) or of their attributes (attributes). A
-- measure that takes known documents out needs rankings and these.
select
    measures.measure,
    family_needs.need

from measures

inner join family_needs using (family)

union

select
    measures.measure,
    unnest(['rankings', 'known']) as need

from measures

where measures.known = 'omit'
