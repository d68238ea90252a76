(comment) @doc
(chunk (variable_declaration (assignment_statement (expression_list . value: (function_call name: (identifier) @_require) .))) @import (#eq? @_require "require"))
(chunk (assignment_statement (expression_list . value: (function_call name: (identifier) @_require) .)) @import (#eq? @_require "require"))
(chunk (function_call name: (identifier) @_require) @import (#eq? @_require "require"))

(function_declaration body: (_) @_body) @fns
(function_declaration !body) @fns
(variable_declaration (assignment_statement (expression_list . value: (function_definition parameters: (_) @tail body: (_)) .) @_body)) @fns
(variable_declaration (assignment_statement (expression_list . value: (function_definition parameters: (_) @tail !body) .) @_body)) @fns
(assignment_statement (expression_list . value: (function_definition parameters: (_) @tail body: (_)) .) @_body) @fns
(assignment_statement (expression_list . value: (function_definition parameters: (_) @tail !body) .) @_body) @fns

(chunk (variable_declaration (assignment_statement (expression_list . value: (table_constructor (field value: (function_definition))) @_body .))) @classes)
(chunk (assignment_statement (expression_list . value: (table_constructor (field value: (function_definition))) @_body .)) @classes)
(field name: (_) value: (function_definition body: (_) @_body)) @method
(field name: (_) value: (function_definition !body)) @method

(chunk (variable_declaration (assignment_statement (variable_list . name: (identifier) @_name))) @consts (#match? @_name "^[A-Z][A-Z0-9_]*$"))
(chunk (assignment_statement (variable_list . name: (identifier) @_name)) @consts (#match? @_name "^[A-Z][A-Z0-9_]*$"))
(chunk (assignment_statement (variable_list . name: (dot_index_expression))) @consts)
