-- How many different subtopics the staged judgments name, in rows with as many
-- fields as there should be.
select count(distinct staged.subtopic) as subtopics

from staged

where
    staged.field_count >= $fewest_fields
    and staged.field_count <= $most_fields
