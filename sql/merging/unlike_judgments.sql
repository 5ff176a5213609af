-- One row is a judgment of an entry here, of a document or of a subtopic, that
-- one of another warehouse lacks, or the other way round.
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

),

subtopics_missing_there as (

    select
        subtopic_judgments.query_id,
        subtopic_judgments.subtopic,
        subtopic_judgments.doc_id,
        subtopic_judgments.grade,
        subtopic_judgments.label

    from subtopic_judgments

    where subtopic_judgments.judgment_set_id = $own_id

    except

    select
        other_subtopic_judgments.query_id,
        other_subtopic_judgments.subtopic,
        other_subtopic_judgments.doc_id,
        other_subtopic_judgments.grade,
        other_subtopic_judgments.label

    from other_subtopic_judgments

    where other_subtopic_judgments.judgment_set_id = $other_id

),

subtopics_missing_here as (

    select
        other_subtopic_judgments.query_id,
        other_subtopic_judgments.subtopic,
        other_subtopic_judgments.doc_id,
        other_subtopic_judgments.grade,
        other_subtopic_judgments.label

    from other_subtopic_judgments

    where other_subtopic_judgments.judgment_set_id = $other_id

    except

    select
        subtopic_judgments.query_id,
        subtopic_judgments.subtopic,
        subtopic_judgments.doc_id,
        subtopic_judgments.grade,
        subtopic_judgments.label

    from subtopic_judgments

    where subtopic_judgments.judgment_set_id = $own_id

)

select missing_there.query_id from missing_there

union all

select missing_here.query_id from missing_here

union all

select subtopics_missing_there.query_id from subtopics_missing_there

union all

select subtopics_missing_here.query_id from subtopics_missing_here
