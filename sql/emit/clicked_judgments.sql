-- The documents of queries that were shown often enough, with their grades.
select
    fractions.query_id, fractions.doc_id,
    fractions.fraction as grade,
    cast(fractions.impressions as bigint) as impressions,
    fractions.clicks
from fractions
where fractions.impressions >= $min_impressions and fractions.fraction is not null
