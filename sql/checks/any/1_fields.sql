-- {field_count} fields, expected {expected}
select
    staged.line_number,
    staged.field_count,
    $expected as expected

from staged

where staged.field_count <> $expected_fields
