(comment) @doc
(open_module) @import
(compilation_unit (include_module_type) @import)

(module_type_definition body: (_) @_body) @traits
(module_type_definition) @traits
(module_definition (module_binding (signature) @_body)) @classes
(module_definition) @classes
(class_body_type) @_body
(class_definition (class_binding)) @classes
(class_type_definition) @traits
(method_specification) @method

(type_definition (type_binding body: [(variant_declaration) (record_declaration)] @_body)) @types
(type_definition) @types
(variant_declaration (constructor_declaration (constructor_name) @brief))
(type_binding body: (record_declaration (field_declaration) @field))
(exception_definition) @types

(signature (value_specification) @method)
(value_specification) @fns
(external) @fns
