(comment) @doc
(document (pair) @consts)
(table . [(bare_key) (dotted_key) (quoted_key)] . (_) @_body) @types
(table) @types
(table_array_element . [(bare_key) (dotted_key) (quoted_key)] . (_) @_body) @types
(table_array_element) @types
(table (pair) @field)
(table_array_element (pair) @field)
