(comment) @doc
(multiline_comment) @doc
(import_declaration) @import
(modifiers (attribute) @attr)

; Types. The word of the declaration tells them apart.
(class_declaration "extension" body: (_) @_body) @impls
(class_declaration "struct" body: (_) @_body) @types
(class_declaration "enum" body: (_) @_body) @types
(class_declaration body: (_) @_body) @classes
(protocol_declaration body: (_) @_body) @traits
(typealias_declaration) @types
(associatedtype_declaration) @field
(operator_declaration) @macros
(precedence_group_declaration) @macros
(enum_entry name: (simple_identifier) @brief)

; Functions, in types and outside. A pattern of a function with its body takes half a second to compile.
(class_body (function_declaration) @method)
(class_body (deinit_declaration) @method)
(class_body (subscript_declaration (computed_property) @_body) @method)
(enum_class_body (function_declaration) @method)
(enum_class_body (subscript_declaration (computed_property) @_body) @method)
(protocol_body (protocol_function_declaration) @method)
(protocol_body (protocol_property_declaration) @field)
(function_declaration) @fns
(function_body) @_body

; Properties.
(class_body (property_declaration computed_value: (_) @_body) @method)
(enum_class_body (property_declaration computed_value: (_) @_body) @method)
(class_body (property_declaration) @field.at)
(enum_class_body (property_declaration) @field.at)
(property_declaration computed_value: (_) @_body) @consts
(property_declaration) @consts
