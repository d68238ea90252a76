(comment) @doc
(body (block (block_start) @body) @blocks)
(config_file (body (attribute (identifier) (expression) @body) @consts))
(block (body (attribute (identifier) @field.at)))
