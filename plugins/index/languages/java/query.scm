(line_comment) @doc
(block_comment) @doc
(package_declaration) @mod
(import_declaration) @import
(module_declaration body: (_) @_body) @mod

((marker_annotation) @cut (#match? @cut "^@(Override|SafeVarargs)$"))
((marker_annotation) @attr (#not-match? @attr "^@(Override|SafeVarargs)$"))
(annotation) @attr

(class_declaration body: (_) @_body) @classes
(record_declaration body: (_) @_body) @classes
(interface_declaration body: (_) @_body) @traits
(annotation_type_declaration body: (_) @_body) @types
(annotation_type_element_declaration) @method
(enum_declaration body: (_) @_body) @types
(enum_constant name: (_) @brief)

(method_declaration) @method
(method_declaration body: (_) @_body)
(constructor_declaration body: (_) @_body) @method
(compact_constructor_declaration body: (_) @_body) @method
(field_declaration) @field.at
(constant_declaration) @field.at

; What the parser saw of something broken lies in an error.
(ERROR "class" . (_) @classes)
(object_creation_expression (class_body) @_body)
