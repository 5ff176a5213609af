-- If an assessor has a column of grades, an empty field means that this
-- assessor did not grade the document.
delete from staged

where coalesce(staged.grade_text, '') = ''
