(field_definition value: [(arrow_function) (function_expression)]) @method
(field_definition value: (_ body: (_) @_body))
(field_definition) @field.at
(decorator) @attr
