-- P@5
-- Results: ndcg_sql.query_values, ndcg_sql.run_values.
-- Remove all: drop schema ndcg_sql cascade
-- This script was not run on the engine: only its grammar was tested. Compare
-- some values with those of ndcg-sql eval before you rely on it.

select case when count(*) > 0 then raise_error('results: a run, query id or document id is null, or a score is null or not a number; remove or repair these rows') end as found
from (
    SELECT
        given_rankings.system,
        given_rankings.user_id,
        given_rankings.item,
        given_rankings.score
    FROM results AS given_rankings
    WHERE
        given_rankings.system IS NULL
        OR given_rankings.user_id IS NULL
        OR given_rankings.item IS NULL
        OR given_rankings.score IS NULL
        OR CAST(given_rankings.score AS DOUBLE) = CAST('NaN' AS DOUBLE)
        OR NOT (CAST(given_rankings.score AS DOUBLE) <= CAST('Infinity' AS DOUBLE))
) as bad;

select case when count(*) > 0 then raise_error('results: a document is there twice for a run and query; keep one of its rows') end as found
from (
    SELECT
        CAST(given_rankings.system AS STRING) AS run_id,
        CAST(given_rankings.user_id AS STRING) AS query_id,
        CAST(given_rankings.item AS STRING) AS doc_id
    FROM results AS given_rankings
    GROUP BY
        CAST(given_rankings.system AS STRING),
        CAST(given_rankings.user_id AS STRING),
        CAST(given_rankings.item AS STRING)
    HAVING count(*) > 1
) as bad;

select case when count(*) > 0 then raise_error('grades: a query id, document id or grade is null, or a grade is not a finite number or above 1e300; remove or repair these rows') end as found
from (
    SELECT given_judgments.user_id, given_judgments.item, given_judgments.grade
    FROM grades AS given_judgments
    WHERE
        given_judgments.user_id IS NULL
        OR given_judgments.item IS NULL
        OR given_judgments.grade IS NULL
        OR NOT (abs(CAST(given_judgments.grade AS DOUBLE)) <= CAST(1e300 AS DOUBLE))
        OR CAST(given_judgments.grade AS DOUBLE) = CAST('NaN' AS DOUBLE)
) as bad;

select case when count(*) > 0 then raise_error('grades: a document is judged twice for a query; keep one of its rows, or name the column of subtopics') end as found
from (
    SELECT
        CAST(given_judgments.user_id AS STRING) AS query_id,
        CAST(given_judgments.item AS STRING) AS doc_id
    FROM grades AS given_judgments
    GROUP BY
        CAST(given_judgments.user_id AS STRING),
        CAST(given_judgments.item AS STRING)
    HAVING count(*) > 1
) as bad;

create schema ndcg_sql;

-- One row is a judged document of a query.
create table ndcg_sql.judgments as
SELECT
    CAST(given_judgments.user_id AS STRING) AS query_id,
    CAST(given_judgments.item AS STRING) AS doc_id,
    CAST(given_judgments.grade AS DOUBLE) + 0 AS grade
FROM grades AS given_judgments;

-- One row is the judgment set: all rows of the table of judgments.
create table ndcg_sql.judgment_sets as
SELECT count(DISTINCT judgments.query_id) AS query_count FROM ndcg_sql.judgments;

-- One row is a document that a run returned for a query, at its position: in
-- descending order of scores; equal scores in descending order of document ids,
-- by bytes.
create table ndcg_sql.rankings as
SELECT
    CAST(given_rankings.system AS STRING) AS run_id,
    CAST(given_rankings.user_id AS STRING) AS query_id,
    CAST(given_rankings.item AS STRING) AS doc_id,
    row_number() OVER (
        PARTITION BY CAST(given_rankings.system AS STRING), CAST(given_rankings.user_id AS STRING)
        ORDER BY CAST(given_rankings.score AS DOUBLE) + 0 DESC, CAST(given_rankings.item AS STRING) DESC
    ) AS position
FROM results AS given_rankings;

-- One row is a run, with the number of queries that it answered.
create table ndcg_sql.runs as
SELECT rankings.run_id, count(DISTINCT rankings.query_id) AS query_count
FROM ndcg_sql.rankings
GROUP BY rankings.run_id;

-- One row is a query that a judgment set judges. These rows, not the queries
-- that a run answered, decide which queries count in a mean.
create table ndcg_sql.judged_queries as
SELECT judgments.query_id FROM ndcg_sql.judgments GROUP BY judgments.query_id;

-- One row is a query that a run answered, with the number of documents that it
-- returned.
create table ndcg_sql.run_queries as
SELECT rankings.run_id, rankings.query_id, count(*) AS retrieved
FROM ndcg_sql.rankings
GROUP BY rankings.run_id, rankings.query_id;

-- One row is a pair of a run and a judgment set of one dataset, with the number
-- of judged queries that the run answered, of judged queries that it did not
-- answer, and of unjudged queries that it answered.
create table ndcg_sql.evaluations as
WITH shared AS (
    SELECT run_queries.run_id, count(*) AS answered
    FROM ndcg_sql.run_queries
    INNER JOIN ndcg_sql.judged_queries
        ON run_queries.query_id = judged_queries.query_id
    GROUP BY run_queries.run_id
)
SELECT
    runs.run_id,
    coalesce(shared.answered, 0) AS answered,
    judgment_sets.query_count - coalesce(shared.answered, 0) AS unanswered,
    runs.query_count - coalesce(shared.answered, 0) AS unjudged_queries
FROM ndcg_sql.runs
CROSS JOIN ndcg_sql.judgment_sets
LEFT JOIN shared ON runs.run_id = shared.run_id;

-- One row is a hit: a document that a run returned and that has a judgment in a
-- judgment set of the same dataset (a negative grade too), at its position in
-- the run.
create table ndcg_sql.hits as
SELECT scored.run_id, scored.query_id, scored.position, judgments.grade
FROM ndcg_sql.rankings AS scored
INNER JOIN ndcg_sql.judgments
    ON scored.query_id = judgments.query_id
    AND scored.doc_id = judgments.doc_id;

-- One row is a query with relevant documents in a judgment set, for each
-- threshold (rel) and kind of ranking that some measure has. relevant is R, the
-- number of relevant documents, returned or not.
create table ndcg_sql.relevant_judgments as
SELECT judgments.query_id, count(*) AS relevant
FROM ndcg_sql.judgments
WHERE judgments.grade >= 0 AND judgments.grade >= CAST(1.0 AS DOUBLE)
GROUP BY judgments.query_id;

-- One row is the value of a registered measure for a judged query of an
-- evaluation, if the measure fits the judgment set.
create table ndcg_sql.stored_values as
WITH counted AS (
    SELECT
        hits.run_id,
        hits.query_id,
        hits.position,
        row_number() OVER (
            PARTITION BY hits.run_id, hits.query_id
            ORDER BY hits.position NULLS LAST
        ) AS found,
        coalesce(
            lead(hits.position) OVER (
                PARTITION BY hits.run_id, hits.query_id
                ORDER BY hits.position NULLS LAST
            ) - 1,
            1000000000
        ) AS last_depth
    FROM ndcg_sql.hits
    WHERE hits.grade >= CAST(1.0 AS DOUBLE) AND hits.grade >= 0
)
SELECT
    evaluations.run_id,
    judged_queries.query_id,
    CASE
        WHEN coalesce(relevant_judgments.relevant, 0) <> 0
        THEN CAST(coalesce(counted.found, 0) AS DOUBLE) / CAST(5 AS DOUBLE)
        ELSE 0
    END AS value,
    coalesce(relevant_judgments.relevant, 0) = 0 AS nothing_relevant
FROM ndcg_sql.evaluations
CROSS JOIN ndcg_sql.judged_queries
LEFT JOIN ndcg_sql.relevant_judgments
    ON judged_queries.query_id = relevant_judgments.query_id
LEFT JOIN counted
    ON evaluations.run_id = counted.run_id
    AND judged_queries.query_id = counted.query_id
    AND 5 >= counted.position
    AND 5 <= counted.last_depth;

-- One row is the value of a registered measure for a judged query of an
-- evaluation, whether the run answered the query or not. Join it with any table
-- that has query ids.
create table ndcg_sql.query_values as
SELECT
    'emitted' AS dataset,
    stored_values.run_id AS run,
    'judgments' AS judgment_set,
    stored_values.query_id,
    CAST('P@5' AS STRING) AS measure,
    stored_values.value,
    stored_values.nothing_relevant,
    stored_values.run_id,
    CAST(1 AS BIGINT) AS judgment_set_id
FROM ndcg_sql.stored_values;

-- One row is the share of judged documents among the first that a run returned,
-- to a depth that a measure looks at, added up over the judged queries.
-- Measures without a cutoff look at 10 documents. A run without judged
-- documents has none.
create table ndcg_sql.run_judged_shares as
WITH judged_hits AS (
    SELECT
        hits.run_id,
        least(CAST(5 AS DOUBLE), run_queries.retrieved) AS shown,
        count(*) AS judged
    FROM ndcg_sql.hits
    INNER JOIN ndcg_sql.run_queries
        ON hits.run_id = run_queries.run_id
        AND hits.query_id = run_queries.query_id
    WHERE hits.grade >= 0 AND hits.position <= 5
    GROUP BY hits.run_id, least(CAST(5 AS DOUBLE), run_queries.retrieved)
)
SELECT
    judged_hits.run_id,
    sum(CAST(judged_hits.judged AS DOUBLE) / judged_hits.shown) AS share_sum
FROM judged_hits
GROUP BY judged_hits.run_id;

-- One row is the value of a registered measure for an evaluation: the mean over
-- the judged queries, or their sum or geometric mean if the measure is one,
-- with the counts that it is based on.
create table ndcg_sql.run_values as
WITH sums AS (
    SELECT
        stored_values.run_id,
        sum(stored_values.value) AS value_sum,
        count(stored_values.value) AS n,
        sum(CASE WHEN stored_values.nothing_relevant THEN 1 ELSE 0 END) AS no_relevant,
        CASE
            WHEN count(stored_values.value) > 1
            THEN stddev_samp(stored_values.value) / sqrt(count(stored_values.value))
        END AS standard_error
    FROM ndcg_sql.stored_values
    GROUP BY stored_values.run_id
)
SELECT
    'emitted' AS dataset,
    sums.run_id AS run,
    'judgments' AS judgment_set,
    CAST('P@5' AS STRING) AS measure,
    sums.value_sum / nullif(sums.n, 0) AS value,
    sums.n,
    evaluations.answered,
    evaluations.unanswered,
    sums.no_relevant,
    evaluations.unjudged_queries,
    coalesce(run_judged_shares.share_sum, 0) / judgment_sets.query_count AS judged_at_k,
    sums.standard_error,
    sums.run_id,
    CAST(1 AS BIGINT) AS judgment_set_id
FROM sums
CROSS JOIN ndcg_sql.judgment_sets
LEFT JOIN ndcg_sql.run_judged_shares ON sums.run_id = run_judged_shares.run_id
INNER JOIN ndcg_sql.evaluations ON sums.run_id = evaluations.run_id;
