-- Compat, compatibility: the overlap of a run's ranking with the ideal ranking.
-- For each depth i, the share of the first i documents that both rankings have
-- is weighted by p^(i - 1); the sum is divided by that of the ideal ranking
-- with itself, or with normalize=false by that of full agreement. The ideal
-- ranking has the documents with a grade above 0 in descending order of grade;
-- equal grades are in the order of the run, so that their order costs it
-- nothing (Clarke, Vtyurina & Smucker 2021, TOIS 39(4)).
with models as (

    select
        measures.measure,
        measures.judged_only,
        measures.known,
        measures.p,
        measures.normalize

    from measures

    where measures.family = 'Compat'

),

ideal as (

    select
        listed_queries.run_id,
        listed_queries.judgment_set_id,
        listed_queries.query_id,
        models.measure,
        listed_queries.listed,
        listed_hits.position,
        row_number() over (
            partition by
                listed_queries.run_id,
                listed_queries.judgment_set_id,
                listed_queries.query_id,
                models.measure
            order by
                listed_judgments.grade desc,
                listed_hits.position asc nulls last,
                listed_judgments.doc_id desc
        ) as ideal_position

    from models

    inner join listed_queries using (judged_only, known)

    inner join listed_judgments using (judgment_set_id, query_id, known)

    left join listed_hits
        using (run_id, judgment_set_id, query_id, judged_only, known, doc_id)

    where listed_judgments.grade > 0

),

-- A query can have more judged documents than any run returned.
places as (

    select positions.position

    from positions

    union distinct

    select ideal.ideal_position as position

    from ideal

),

-- What a document in both rankings adds from a depth on, and what full
-- agreement adds down to it. A sum of decimals is the same in any order, and the
-- difference of two does not depend on how deep other rankings are.
depths as (

    select
        models.measure,
        places.position,
        sum(
            cast(
                power(models.p, places.position - 1) / places.position
                as decimal(38, 36)
            )
        ) over (
            partition by models.measure
            order by places.position desc
            rows between unbounded preceding and current row
        ) as worth_from_here,
        cast(
            sum(
                cast(
                    power(models.p, places.position - 1) as decimal(38, 30)
                )
            ) over (
                partition by models.measure
                order by places.position
                rows between unbounded preceding and current row
            ) as double
        ) as full_worth

    from models

    cross join places

),

lists as (

    select
        ideal.run_id,
        ideal.judgment_set_id,
        ideal.query_id,
        ideal.measure,
        greatest(max(ideal.ideal_position), max(ideal.listed)) as depth

    from ideal

    group by
        ideal.run_id,
        ideal.judgment_set_id,
        ideal.query_id,
        ideal.measure

),

agreements as (

    select
        ideal.run_id,
        ideal.judgment_set_id,
        ideal.query_id,
        ideal.measure,
        sum(
            cast(
                here.worth_from_here - coalesce(beyond.worth_from_here, 0)
                as double
            )
            order by ideal.ideal_position
        ) as ideal_overlap,
        sum(
            cast(
                shared.worth_from_here - coalesce(beyond.worth_from_here, 0)
                as double
            )
            order by ideal.ideal_position
        ) as overlap,
        max(full_depths.full_worth) as full_worth

    from ideal

    inner join lists using (run_id, judgment_set_id, query_id, measure)

    inner join depths as here
        on
            ideal.measure = here.measure
            and ideal.ideal_position = here.position

    inner join depths as full_depths
        on
            ideal.measure = full_depths.measure
            and lists.depth = full_depths.position

    left join depths as beyond
        on
            ideal.measure = beyond.measure
            and lists.depth + 1 = beyond.position

    left join depths as shared
        on
            ideal.measure = shared.measure
            and greatest(ideal.ideal_position, ideal.position) = shared.position
            and ideal.position is not null

    group by
        ideal.run_id,
        ideal.judgment_set_id,
        ideal.query_id,
        ideal.measure

)

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    models.measure,
    listed_queries.retrieved,
    coalesce(
        agreements.overlap
        / case
            when models.normalize then agreements.ideal_overlap
            else agreements.full_worth
        end,
        0
    ) as value,
    agreements.query_id is null as nothing_relevant

from listed_queries

inner join models using (judged_only, known)

left join agreements using (run_id, judgment_set_id, query_id, measure)
