-- One row is a judged query, with the part in which it is: one of $parts folds,
-- into which queries are dealt in the order of a hash of their ids; with an
-- attribute, 1 if the query has this value of it, and 2 otherwise.
with placed as (

    select
        judged_queries.query_id,
        row_number() over (order by judged_queries.query_id) as query_number,
        row_number() over (
            order by
                md5(judged_queries.query_id),
                judged_queries.query_id
        ) as place

    from judged_queries

    where judged_queries.judgment_set_id = $judgment_set_id

)

select
    placed.query_id,
    placed.query_number,
    case
        when $attribute is null then (placed.place - 1) % $parts + 1
        when
            placed.query_id in (
                select query_attributes.query_id

                from query_attributes

                where
                    query_attributes.dataset = $dataset
                    and query_attributes.attribute = $attribute
                    and query_attributes.attribute_value = $attribute_value
            )
            then 1
        else 2
    end as part

from placed
