(module . (comment)* . (expression_statement (string)) @module)
(comment) @doc
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import

(decorator) @attr
(class_definition body: (_) @_body) @classes
(class_definition body: (block (function_definition body: (_) @_body) @method))
(class_definition body: (block (decorated_definition definition: (function_definition body: (_) @_body) @method)))
(class_definition body: (block (expression_statement (assignment) @field.at)))
(function_definition body: (_) @_body) @fns

(module (expression_statement (assignment left: (identifier) @_name) @consts) (#match? @_name "^_{0,2}[A-Z][A-Z0-9_]*$|^__\\w+__$"))
(module (expression_statement (assignment left: (identifier) type: (_)) @consts))
(module (if_statement (block (expression_statement (assignment left: (identifier) @_name) @consts))) (#match? @_name "^_{0,2}[A-Z][A-Z0-9_]*$"))
(module (expression_statement (assignment left: (identifier) right: (lambda body: (_) @_body)) @fns))
(type_alias_statement) @types

; What the parser saw of something broken lies in an error.
(ERROR "class" . (_) @classes)
