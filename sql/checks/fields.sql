-- {field_count} {noun}, expected {expected}
select
    staged.line_number,
    staged.field_count,
    case when staged.field_count = 1 then 'field' else 'fields' end as noun,
    $expected as expected

from staged

where
    staged.field_count > 0
    and staged.field_count not between $fewest_fields and $most_fields
