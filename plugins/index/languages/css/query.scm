(comment) @doc
(import_statement) @import
(charset_statement) @consts
(namespace_statement) @consts
(stylesheet (rule_set (block) @body) @rules)
(media_statement (block) @body) @rules
(supports_statement (block) @body) @rules
(keyframes_statement (keyframe_block_list) @body) @rules
(scope_statement (block) @body) @rules
(at_rule (block) @body) @rules
(at_rule) @rules
(block (rule_set (block) @body) @method)
((declaration (property_name) @_name) @field (#match? @_name "^--"))
