-- Rows that a database sent as CSV, with every text in quotes, exactly as they are.
select *
from
    read_csv(
        $path,
        delim = ',',
        header = true,
        quote = '"',
        escape = '"',
        comment = '',
        nullstr = '',
        new_line = '\n',
        auto_detect = false,
        compression = 'none',
        columns = $columns,
        parallel = false,
        max_line_size = 67108864,
        buffer_size = 134217728
    )
