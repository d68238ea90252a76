(class_body (field_definition value: [(arrow_function) (function_expression)]) @method)
(class_body (field_definition value: (_ body: (_) @_body)))
(class_body (field_definition) @field.at)
(decorator) @attr
