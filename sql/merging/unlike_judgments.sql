-- One row is a judgment of an entry here that one of another warehouse lacks, or
-- the other way round.
with missing_there as (

    select
        judgments.query_id,
        judgments.doc_id,
        judgments.grade,
        judgments.label

    from judgments

    where judgments.judgment_set_id = $own_id

    except

    select
        other_judgments.query_id,
        other_judgments.doc_id,
        other_judgments.grade,
        other_judgments.label

    from other_judgments

    where other_judgments.judgment_set_id = $other_id

),

missing_here as (

    select
        other_judgments.query_id,
        other_judgments.doc_id,
        other_judgments.grade,
        other_judgments.label

    from other_judgments

    where other_judgments.judgment_set_id = $other_id

    except

    select
        judgments.query_id,
        judgments.doc_id,
        judgments.grade,
        judgments.label

    from judgments

    where judgments.judgment_set_id = $own_id

)

select missing_there.query_id from missing_there

union all

select missing_here.query_id from missing_here
