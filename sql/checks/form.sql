-- malformed line, expected {expected}
select
    staged.line_number,
    $expected as expected

from staged

where staged.field_count <= 0
