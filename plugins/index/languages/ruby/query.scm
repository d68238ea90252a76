(comment) @doc
(program [(_ . method: (identifier) @_method) (_ . receiver: (_) . method: (identifier) @_method)] @import (#any-of? @_method "require" "require_relative" "load" "autoload"))

(module body: (_) @_body) @mod
(module !body) @mod
(class body: (_) @_body) @classes
(class !body) @classes
(singleton_class body: (_) @_body) @classes

(method body: (_) @_body) @fns
(method !body) @fns
(singleton_method body: (_) @_body) @fns
(singleton_method !body) @fns

(program (_ !operator . left: (constant)) @consts)
(body_statement (_ !operator . left: [(constant) (scope_resolution)]) @field.at)
(body_statement (_ . method: (identifier) @_method . arguments: (_)) @field.at (#any-of? @_method "attr_accessor" "attr_reader" "attr_writer" "include" "extend" "prepend"))
