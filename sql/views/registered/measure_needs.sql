-- One row is what a registered measure needs beside judgments and hits: whole rankings, or what the
-- dataset has of known documents, of documents or of their attributes. A measure that takes known
-- documents out needs rankings and these.
select measure, need
from measures
inner join family_needs using (family)
union
select
    measure,
    unnest(['rankings', 'known']) as need
from measures
where known = 'omit'
