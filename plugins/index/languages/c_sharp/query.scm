(comment) @doc
(using_directive) @import
(extern_alias_directive) @import
(namespace_declaration body: (_) @_body) @mod.flat
(file_scoped_namespace_declaration) @mod

(attribute_list) @attr

(class_declaration body: (_) @_body) @classes
(class_declaration !body) @classes
(interface_declaration body: (_) @_body) @traits
(struct_declaration body: (_) @_body) @types
(record_declaration body: (_) @_body) @types
(record_declaration !body) @types
(enum_declaration body: (_) @_body) @types
(enum_member_declaration name: (_) @brief)
(delegate_declaration) @types

(method_declaration body: (_) @_body) @method
(method_declaration !body) @method
(constructor_declaration (constructor_initializer) @_body)
(constructor_declaration body: (_) @_body) @method
(destructor_declaration body: (_) @_body) @method
(operator_declaration body: (_) @_body) @method
(operator_declaration !body) @method
(conversion_operator_declaration body: (_) @_body) @method
(conversion_operator_declaration !body) @method
(indexer_declaration accessors: (_) @_body) @method
(indexer_declaration value: (_) @_body) @method
(property_declaration accessors: (_) @_body) @method
(property_declaration value: (arrow_expression_clause) @_body) @method
(event_declaration accessors: (_) @_body) @method
(event_field_declaration) @field.at
(field_declaration) @field.at
(local_function_statement body: (_) @_body) @fns

; What the parser saw of something broken lies in an error.
(ERROR "class" . (_) @classes)
