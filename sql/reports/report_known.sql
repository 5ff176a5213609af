-- One row is the value of a measure for a run or a slice of its queries (see
-- report), with the mean share of known documents among the first k, where k is the
-- cutoff of the measure, or 10 if it has none. The share is null if nothing is known
-- in the dataset, or if the rankings of the run are elsewhere.
with datasets_with_known as (

    select distinct known_documents.dataset

    from known_documents

    inner join judgment_sets using (dataset)

    where list_contains($judgment_set_ids, judgment_sets.judgment_set_id)

),

chosen as (

    select
        evaluations.run_id,
        evaluations.judgment_set_id,
        runs.dataset

    from evaluations

    inner join runs using (run_id)

    inner join datasets_with_known using (dataset)

    where
        list_contains($run_ids, evaluations.run_id)
        and list_contains($judgment_set_ids, evaluations.judgment_set_id)
        and evaluations.run_id not in (
            select external_evaluations.run_id
            from external_evaluations
        )

),

depths as (

    select distinct coalesce(measures.cutoff, 10) as depth

    from measures

    where list_contains($measures, measures.measure)

),

chosen_runs as (

    select distinct
        chosen.run_id,
        chosen.dataset

    from chosen

),

places as (

    select
        rankings.run_id,
        rankings.query_id,
        rankings.position

    from rankings

    inner join chosen_runs using (run_id)

    inner join known_documents using (dataset, query_id, doc_id)

),

parts as (

    select
        query_groups.judgment_set_id,
        query_groups.query_id,
        query_groups.slice

    from query_groups

    where
        list_contains($judgment_set_ids, query_groups.judgment_set_id)
        and (query_groups.attribute is not null) = $sliced

),

-- Known documents are counted together for all queries that show the same number
-- of documents: a sum of whole numbers is the same in any order.
counts as (

    select
        chosen.run_id,
        chosen.judgment_set_id,
        parts.slice,
        depths.depth,
        least(depths.depth, run_queries.retrieved) as shown,
        count(*) as known

    from chosen

    inner join places using (run_id)

    inner join parts using (judgment_set_id, query_id)

    inner join run_queries using (run_id, query_id)

    inner join depths
        on places.position <= depths.depth

    group by
        chosen.run_id,
        chosen.judgment_set_id,
        parts.slice,
        depths.depth,
        least(depths.depth, run_queries.retrieved)

),

sums as (

    select
        counts.run_id,
        counts.judgment_set_id,
        counts.slice,
        counts.depth,
        sum(counts.known / counts.shown order by counts.shown) as share_sum

    from counts

    group by
        counts.run_id,
        counts.judgment_set_id,
        counts.slice,
        counts.depth

)

select
    answer_rows.* exclude (row_number, standard_error),  -- noqa: RF02
    case
        when chosen.run_id is not null
            then
                coalesce(sums.share_sum, 0)
                / (answer_rows.answered + answer_rows.unanswered)
    end as known_at_k,
    answer_rows.standard_error

from answer_rows

inner join runs
    on
        answer_rows.dataset = runs.dataset
        and answer_rows.run = runs.name

inner join judgment_sets
    on
        answer_rows.dataset = judgment_sets.dataset
        and answer_rows.judgment_set = judgment_sets.name

left join chosen
    on
        runs.run_id = chosen.run_id
        and judgment_sets.judgment_set_id = chosen.judgment_set_id

left join sums
    on
        runs.run_id = sums.run_id
        and judgment_sets.judgment_set_id = sums.judgment_set_id
        and answer_rows.slice is not distinct from sums.slice
        and answer_rows.judged_depth = sums.depth

order by answer_rows.row_number
