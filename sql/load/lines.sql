-- Lines of a text file. A NUL separates the only column, since no line has
-- one; written as '\0' it would be a backslash and a zero, which lines have.
select
    row_number() over () as line_number,
    text_line

from
    read_csv(
        $path,
        delim = chr(0),
        header = false,
        quote = '',
        escape = '',
        comment = '',
        auto_detect = false,
        compression = 'none',
        columns = { 'text_line': 'VARCHAR' },
        strict_mode = false,
        max_line_size = 67108864,
        -- DuckDB would take 16 times the longest line, a GB of the memory limit.
        buffer_size = 134217728
    )
