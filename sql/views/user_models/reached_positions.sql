-- One row is a document that a reader of ERR or nERR meets (see
-- satisfaction_parts). reach is the probability that the reader gets there: that
-- no document above satisfied the reader. The product of these probabilities is
-- the exponential of a sum of decimals, because a running sum of doubles would
-- depend on other queries.
select
    satisfaction_parts.run_id,
    satisfaction_parts.judgment_set_id,
    satisfaction_parts.query_id,
    satisfaction_parts.measure,
    satisfaction_parts.family,
    satisfaction_parts.part,
    satisfaction_parts.position,
    satisfaction_parts.satisfaction,
    coalesce(
        exp(
            cast(
                sum(
                    cast(
                        ln(1 - satisfaction_parts.satisfaction)
                        as decimal(38, 30)
                    )
                ) over (
                    partition by
                        satisfaction_parts.run_id,
                        satisfaction_parts.judgment_set_id,
                        satisfaction_parts.query_id,
                        satisfaction_parts.measure,
                        satisfaction_parts.family,
                        satisfaction_parts.part
                    order by satisfaction_parts.position
                    rows between unbounded preceding and 1 preceding
                ) as double
            )
        ),
        1
    ) as reach

from satisfaction_parts
