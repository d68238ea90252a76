; Functions as C knows them.
(function_definition body: (_) @_body)
(declaration declarator: [
  (function_declarator declarator: (identifier))
  (_ !value declarator: [
    (function_declarator declarator: (identifier))
    (_ declarator: (function_declarator declarator: (identifier)))
  ])
]) @fns.top
