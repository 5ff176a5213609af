-- One row is a user with a weight and two attributes: 8 countries, 3 devices.
select
    case
        when $long_ids then upper(left(md5('query ' || queries.query), 26))
        else (10000 + 157 * queries.query)::varchar
    end as query_id,
    1 + queries.query % 7 as weight,
    'country ' || (queries.query * 13 % 8) as country,
    ['mobile', 'desktop', 'tablet'][1 + queries.query % 3] as device

from range($queries) as queries (query)
