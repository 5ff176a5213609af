-- One row is a ranked document of an entry here that one of another warehouse lacks, or
-- the other way round.
with missing_there as (

    select
        rankings.query_id,
        rankings.doc_id,
        rankings.position,
        rankings.score

    from rankings

    where rankings.run_id = $own_id

    except

    select
        other_rankings.query_id,
        other_rankings.doc_id,
        other_rankings.position,
        other_rankings.score

    from other_rankings

    where other_rankings.run_id = $other_id

),

missing_here as (

    select
        other_rankings.query_id,
        other_rankings.doc_id,
        other_rankings.position,
        other_rankings.score

    from other_rankings

    where other_rankings.run_id = $other_id

    except

    select
        rankings.query_id,
        rankings.doc_id,
        rankings.position,
        rankings.score

    from rankings

    where rankings.run_id = $own_id

)

select missing_there.query_id from missing_there

union all

select missing_here.query_id from missing_here
