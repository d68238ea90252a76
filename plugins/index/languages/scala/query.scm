(block_comment) @doc
(comment) @doc
(package_clause) @mod
(import_declaration) @import
(annotation) @attr

(class_definition body: (_) @_body) @classes
(class_definition) @classes
(object_definition body: (_) @_body) @classes
(object_definition) @classes
(package_object body: (_) @_body) @classes
(trait_definition body: (_) @_body) @traits
(trait_definition) @traits
(enum_definition body: (_) @_body) @types
(simple_enum_case name: (_) @brief)
(full_enum_case name: (_) @brief)
(given_definition body: (_) @_body) @impls
(given_definition) @impls
(extension_definition body: (function_definition)) @impls
(extension_definition parameters: (_) . (_) @_body)
(compilation_unit (type_definition) @types)
(package_clause body: (template_body (type_definition) @types))

(template_body (function_definition body: (_) @_body) @method)
(template_body (function_declaration) @method)
(with_template_body (function_definition body: (_) @_body) @method)
(enum_body (function_definition body: (_) @_body) @method)
(extension_definition (function_definition body: (_) @_body) @method)
(template_body [(val_definition value: (_) @_body) (var_definition value: (_) @_body) (val_declaration) (var_declaration) (type_definition)] @field.at)

(function_definition body: (_) @_body) @fns
(val_definition) @consts
(var_definition) @consts
