(comment) @doc
(compilation_unit (open_module) @import)
(compilation_unit (include_module) @import)

(module_type_definition body: (_) @_body) @traits
(module_definition (module_binding body: (_) @_body)) @classes
(module_definition (module_binding)) @classes
(class_definition (class_binding body: (_) @_body)) @classes
(class_type_definition) @traits

(type_definition (type_binding body: (_) @_body)) @types
(type_definition) @types
(variant_declaration (constructor_declaration (constructor_name) @brief))
(type_binding body: (record_declaration (field_declaration) @field))
(exception_definition) @types

(signature (value_specification) @method)
(value_specification) @fns
(structure (value_definition (let_binding (parameter)) @method))
(structure (value_definition (let_binding body: (fun_expression)) @method))
(method_definition body: (_) @_body) @method
(instance_variable_definition body: (_) @_body) @field

(compilation_unit (value_definition (let_binding (parameter)) @fns))
(compilation_unit (value_definition (let_binding body: [(fun_expression) (function_expression)]) @fns))
(compilation_unit (value_definition (let_binding pattern: [(value_name) (parenthesized_operator)]) @consts))
(let_binding body: (_) @_body)
(external) @fns
