-- Where an assessor has a column of grades, an empty one says that this
-- assessor did not look at the document.
delete from staged

where coalesce(staged.grade_text, '') = ''
