(comment) @doc
(body (block (block_start) @_body) @blocks)
(config_file (body (attribute (identifier) (expression) @_body) @consts))
(block (body (attribute (identifier) @field.at)))
