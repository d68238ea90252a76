(block_comment) @doc
(line_comment) @doc
(package_header) @mod
(import) @import
((modifiers (annotation) @cut) (#eq? @cut "@Override"))
(modifiers (annotation) @attr)

(class_declaration "interface" (class_body) @_body) @traits
(class_declaration "interface") @traits
(class_declaration (enum_class_body) @_body) @types
(class_declaration (class_body) @_body) @classes
(class_declaration) @classes
(object_declaration (class_body) @_body) @classes
(object_declaration) @classes
(companion_object (class_body) @_body) @classes
(type_alias) @types
(enum_entry (identifier) @brief)

(class_body (function_declaration (function_body) @_body) @method)
(class_body (function_declaration) @method)
(enum_class_body (function_declaration (function_body) @_body) @method)
(enum_class_body (function_declaration) @method)
(secondary_constructor (function_value_parameters) . (_) @_body) @method
(secondary_constructor) @method
(class_body (property_declaration (getter) @_body) @method)
(class_body (property_declaration) @field.at)
(enum_class_body (property_declaration) @field.at)

(source_file (function_declaration (function_body) @_body) @fns)
(source_file (function_declaration) @fns)
(source_file (property_declaration [(getter) (setter)] @_body) @consts)
(source_file (property_declaration) @consts)
(object_literal (class_body) @_body)
