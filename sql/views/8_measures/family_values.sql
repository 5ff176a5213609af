-- One row is the value of a family's measure for a judged query of an
-- evaluation, before its options for unanswered queries and for queries with
-- nothing relevant. Each family has its line here.
select * from cumulated_gain

union all

select * from discounted_cumulated_gain

union all

select * from ideal_discounted_cumulated_gain

union all

select
    ndcg.run_id,
    ndcg.judgment_set_id,
    ndcg.query_id,
    ndcg.measure,
    ndcg.retrieved,
    ndcg.ndcg as value,
    ndcg.no_relevant

from ndcg

union all

select * from normalized_cumulated_gain

union all

select * from scaled_discounted_cumulated_gain

union all

select * from ndcg_rel

union all

select * from r_ndcg

union all

select * from g

union all

select * from precision_at_k

union all

select * from recall_at_k

union all

select * from average_precision

union all

select * from geometric_average_precision

union all

select * from yaap

union all

select * from interpolated_precision

union all

select * from eleven_point_average

union all

select * from reciprocal_rank

union all

select * from success_at_k

union all

select * from relative_precision_at_k

union all

select * from r_precision

union all

select * from r_precision_multiple

union all

select * from bpref

union all

select * from geometric_bpref

union all

select * from set_precision

union all

select * from set_recall

union all

select * from set_average_precision

union all

select * from set_f

union all

select * from inferred_average_precision

union all

select * from binary_g

union all

select * from rank_biased_precision

union all

select * from graded_rank_biased_precision

union all

select * from rank_biased_residual

union all

select * from expected_reciprocal_rank

union all

select * from normalized_expected_reciprocal_rank

union all

select * from unjudged_at_k

union all

select * from judged_at_k

union all

select * from utility

union all

select * from number_of_queries

union all

select * from number_returned

union all

select * from number_relevant

union all

select * from number_not_relevant_returned

union all

select * from inverse_squares

union all

select * from adaptive_inverse_squares

union all

select * from bejeweled_player_model

union all

select * from nearly_expected_reciprocal_rank_8

union all

select * from nearly_expected_reciprocal_rank_9

union all

select * from nearly_expected_reciprocal_rank_10

union all

select * from nearly_expected_reciprocal_rank_11

union all

select * from compatibility

union all

select * from accuracy
