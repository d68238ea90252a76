(class_body (field_definition value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method)
(class_body (field_definition) @field.at)
(decorator) @attr
