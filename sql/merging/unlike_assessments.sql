-- One row is a assessment of an entry here that one of another warehouse lacks, or
-- the other way round.
with missing_there as (

    select
        assessments.query_id,
        assessments.doc_id,
        assessments.assessor,
        assessments.assessed_at,
        assessments.grade,
        assessments.label

    from assessments

    where assessments.assessment_set_id = $own_id

    except

    select
        other_assessments.query_id,
        other_assessments.doc_id,
        other_assessments.assessor,
        other_assessments.assessed_at,
        other_assessments.grade,
        other_assessments.label

    from other_assessments

    where other_assessments.assessment_set_id = $other_id

),

missing_here as (

    select
        other_assessments.query_id,
        other_assessments.doc_id,
        other_assessments.assessor,
        other_assessments.assessed_at,
        other_assessments.grade,
        other_assessments.label

    from other_assessments

    where other_assessments.assessment_set_id = $other_id

    except

    select
        assessments.query_id,
        assessments.doc_id,
        assessments.assessor,
        assessments.assessed_at,
        assessments.grade,
        assessments.label

    from assessments

    where assessments.assessment_set_id = $own_id

)

select missing_there.query_id from missing_there

union all

select missing_here.query_id from missing_here
