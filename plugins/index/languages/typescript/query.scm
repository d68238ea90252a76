; What TypeScript has beyond JavaScript.
(decorator) @attr
(import_alias) @import

(export_statement declaration: [(function_signature) (ambient_declaration (function_signature))]) @fns
(ambient_declaration (function_signature)) @fns
(function_signature) @fns

(export_statement declaration: [(abstract_class_declaration) (ambient_declaration [(class_declaration) (abstract_class_declaration)])]) @classes
(abstract_class_declaration body: (_) @_body) @classes
(class_body (method_signature) @method)
(abstract_method_signature) @method
(public_field_definition value: [(arrow_function) (function_expression)]) @method
(public_field_definition value: (_ body: (_) @_body))
(public_field_definition) @field.at

(export_statement declaration: [
  (interface_declaration)
  (type_alias_declaration)
  (enum_declaration)
  (ambient_declaration [(interface_declaration) (type_alias_declaration) (enum_declaration)])
]) @types
(interface_declaration body: (_) @_body) @types
(interface_body (property_signature type: (type_annotation (function_type))) @method)
(interface_body [(property_signature) (index_signature)] @field)
(interface_body [(method_signature) (call_signature) (construct_signature)] @method)

(type_alias_declaration) @types
(type_alias_declaration value: (object_type [(property_signature) (method_signature) (call_signature) (construct_signature) (index_signature)] @field) @_body)

(enum_declaration body: (_) @_body) @types
(enum_body name: (_) @brief)
(enum_body (enum_assignment name: (_) @brief))

(export_statement declaration: [(internal_module) (ambient_declaration (internal_module))]) @mod
(internal_module body: (_) @_body) @mod
(ambient_declaration (module)) @mod
(module body: (_) @_body) @mod
(internal_module body: (statement_block (lexical_declaration . (variable_declarator value: (arrow_function)) .) @fns))
(internal_module body: (statement_block (lexical_declaration) @consts))

(export_statement declaration: (ambient_declaration (lexical_declaration))) @consts
(program (ambient_declaration [(lexical_declaration) (variable_declaration)]) @consts)

; What the parser saw of something broken lies in an error.
(ERROR "interface" . (_) @types)
