(class_body (field_definition value: [(arrow_function body: (_) @_body) (function_expression body: (_) @_body)]) @method)
(class_body (field_definition) @field.at)
(decorator) @attr
