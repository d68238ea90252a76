(comment) @doc
(import_statement) @import
(charset_statement) @consts
(namespace_statement) @consts
(stylesheet (rule_set (block) @_body) @rules)
(media_statement (block) @_body) @rules
(supports_statement (block) @_body) @rules
(keyframes_statement (keyframe_block_list) @_body) @rules
(scope_statement (block) @_body) @rules
(at_rule (block) @_body) @rules
(at_rule) @rules
(block (rule_set (block) @_body) @method)
((declaration (property_name) @_name) @field (#match? @_name "^--"))
