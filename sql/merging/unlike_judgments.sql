-- One row is a judgment of an entry here, of a document or of a subtopic, that
-- one of another warehouse lacks, or the other way round.
with own as (

    select
        judgments.query_id,
        null as subtopic,
        judgments.doc_id,
        judgments.grade,
        judgments.label

    from judgments

    where judgments.judgment_set_id = $own_id

    union all

    select
        subtopic_judgments.query_id,
        subtopic_judgments.subtopic,
        subtopic_judgments.doc_id,
        subtopic_judgments.grade,
        subtopic_judgments.label

    from subtopic_judgments

    where subtopic_judgments.judgment_set_id = $own_id

),

others as (

    select
        other_judgments.query_id,
        null as subtopic,
        other_judgments.doc_id,
        other_judgments.grade,
        other_judgments.label

    from other_judgments

    where other_judgments.judgment_set_id = $other_id

    union all

    select
        other_subtopic_judgments.query_id,
        other_subtopic_judgments.subtopic,
        other_subtopic_judgments.doc_id,
        other_subtopic_judgments.grade,
        other_subtopic_judgments.label

    from other_subtopic_judgments

    where other_subtopic_judgments.judgment_set_id = $other_id

),

missing_there as (

    from own

    except

    from others

),

missing_here as (

    from others

    except

    from own

)

select missing_there.query_id from missing_there

union all

select missing_here.query_id from missing_here
