-- the line has another form than {expected}
select
    staged.line_number,
    $expected as expected

from staged

where staged.field_count <= 0
