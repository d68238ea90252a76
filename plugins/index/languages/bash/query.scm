((comment) @doc (#not-match? @doc "^#!"))
(program (command name: (command_name) @_name) @import (#any-of? @_name "source" "."))
(program (variable_assignment name: (variable_name) @_name) @consts (#match? @_name "^[A-Z_][A-Z0-9_]*$"))
(program (declaration_command (variable_assignment name: (variable_name) @_name)) @consts (#match? @_name "^[A-Z_][A-Z0-9_]*$"))
(function_definition body: (_) @_body) @fns
