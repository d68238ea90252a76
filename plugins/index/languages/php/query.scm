(comment) @doc
(namespace_definition body: (_) @_body) @mod.flat
(namespace_definition !body) @mod
(namespace_use_declaration) @import
(program (expression_statement [(require_once_expression) (require_expression) (include_expression) (include_once_expression)]) @import)

(attribute_list) @attr

(class_declaration body: (_) @_body) @classes
(return_statement (object_creation_expression (anonymous_class body: (_) @_body))) @classes
(expression_statement (assignment_expression right: (object_creation_expression (anonymous_class body: (_) @_body)))) @classes
(anonymous_class body: (_) @_body) @classes
(interface_declaration body: (_) @_body) @traits
(trait_declaration body: (_) @_body) @traits
(enum_declaration body: (_) @_body) @types
(enum_case name: (_) @brief)

(method_declaration body: (_) @_body) @method
(method_declaration !body) @method
(property_declaration) @field.at
(declaration_list (const_declaration) @field.at)
(declaration_list (use_declaration) @field)
(enum_declaration_list (const_declaration) @field.at)

(program (const_declaration) @consts)
(compound_statement (const_declaration) @consts)
(program (expression_statement (function_call_expression function: (name) @_name)) @consts (#eq? @_name "define"))
(function_definition body: (_) @_body) @fns
(program (expression_statement (assignment_expression left: (variable_name) right: [(anonymous_function body: (_) @_body) (arrow_function body: (_) @_body)])) @fns)

; What the parser saw of something broken lies in an error.
(ERROR "class" . (_) @classes)
