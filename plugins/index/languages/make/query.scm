(comment) @doc
(include_directive) @import
(variable_assignment name: (word)) @consts
(define_directive name: (_) value: (_) @_body) @macros
(rule) @targets
(rule (recipe) @_body)
