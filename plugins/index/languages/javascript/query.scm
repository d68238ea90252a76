; What JavaScript and TypeScript have in common.
(comment) @doc
(import_statement) @import

(program (_ . (variable_declarator value: (call_expression function: (identifier) @_require)) .) @import (#eq? @_require "require"))
(program (_ (variable_declarator value: (call_expression function: (identifier) @_require)) @import) (#eq? @_require "require"))

; Functions.
(export_statement declaration: [(function_declaration) (generator_function_declaration)]) @fns
(export_statement value: [(function_expression) (generator_function) (arrow_function)]) @fns
(export_statement value: [(_ body: (_) @_body) (object (pair value: (_ body: (_) @_body)))])
(function_declaration body: (_) @_body) @fns
(generator_function_declaration body: (_) @_body) @fns

(program (expression_statement (call_expression arguments: (arguments (function_expression name: (_) body: (_) @_body) @fns))))

; Classes.
(export_statement declaration: (class_declaration)) @classes
(export_statement value: (class)) @classes
(class_declaration body: (_) @_body) @classes
(class body: (_) @_body)
(class_body (method_definition body: (_) @_body) @method)

; Variables: those that hold functions, classes, objects with methods, and others.
(variable_declarator value: [(_ body: (_) @_body) (object (pair value: (_ body: (_) @_body)))])
(export_statement declaration: (lexical_declaration . (variable_declarator value: [(arrow_function) (function_expression) (generator_function)]) .)) @fns
(program (_ . (variable_declarator value: [(arrow_function) (function_expression) (generator_function)]) .) @fns)
(program (_ [
  (variable_declarator value: [(arrow_function) (function_expression) (generator_function)]) @fns
  (variable_declarator value: (object [(method_definition) (pair value: [(function_expression) (arrow_function)]) @method]) @_body)
]))
; What the parser saw of something broken lies in an error.
(ERROR "class" . (_) @classes)
(ERROR (method_definition) @fns)
(ERROR (object (method_definition) @fns))
(ERROR (function_expression name: (_)) @fns)
(ERROR [(_ body: (_) @_body) (object (_ body: (_) @_body))])
(ERROR (lexical_declaration . (variable_declarator value: [(arrow_function) (function_expression) (generator_function)]) .) @fns.top)
(ERROR (lexical_declaration . (variable_declarator) .) @consts.top)
(export_statement declaration: (_ . (variable_declarator value: (class)) .)) @classes
(program (_ . (variable_declarator value: (class)) .) @classes)
(export_statement declaration: [(lexical_declaration) (variable_declaration)]) @consts
(program (lexical_declaration . (variable_declarator) .) @consts)
(program (variable_declaration . (variable_declarator) .) @consts)
(program (_ (variable_declarator) @consts))

; Objects: of those that are listed, functions in properties count as methods.
(export_statement declaration: (_ (variable_declarator value: (object [(method_definition) (pair value: [(function_expression) (arrow_function)]) @method]) @_body)))
(export_statement value: (object [(method_definition) (pair value: [(function_expression) (arrow_function)]) @method]) @_body)

(object (method_definition body: (_) @_body) @method)

; Assignments to members.
(assignment_expression left: (member_expression) right: [(_ body: (_) @_body) (object (pair value: (_ body: (_) @_body)))])
(expression_statement (assignment_expression left: (member_expression) right: [(function_expression) (generator_function) (arrow_function)])) @fns
(expression_statement (assignment_expression left: (member_expression) right: (class))) @classes
(program (expression_statement (assignment_expression left: (member_expression) @_to right: (object [(method_definition) (pair value: [(function_expression) (arrow_function)]) @method]) @_body)) @exports (#match? @_to "^module\\.exports|^exports|prototype"))
(program (expression_statement (assignment_expression left: (member_expression) @_to)) @exports (#match? @_to "^(module\\.)?exports"))

; What else leaves the module.
(export_statement) @exports
