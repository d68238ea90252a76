(comment) @doc
((comment) @module (#match? @module "^//!"))
(source_file (variable_declaration (builtin_function (builtin_identifier) @_import)) @import (#any-of? @_import "@import" "@cImport"))

(variable_declaration (struct_declaration) @_body) @types
(variable_declaration (union_declaration) @_body) @types
(variable_declaration (enum_declaration) @_body) @types
(variable_declaration (opaque_declaration) @_body) @types
(variable_declaration (error_set_declaration) @_body) @types
(error_set_declaration (identifier) @brief)
(enum_declaration (container_field . (_) @brief))
(struct_declaration (container_field) @field)
(union_declaration (container_field) @field)
(source_file (container_field) @types)

(struct_declaration (function_declaration body: (_) @_body) @method)
(struct_declaration (function_declaration) @method)
(union_declaration (function_declaration body: (_) @_body) @method)
(enum_declaration (function_declaration body: (_) @_body) @method)
(struct_declaration (variable_declaration) @field.at)
(union_declaration (variable_declaration) @field.at)
(enum_declaration (variable_declaration) @field.at)
(function_declaration body: (_) @_body) @fns
(function_declaration) @fns

(test_declaration (block) @_body) @test.leaf
(source_file (variable_declaration) @consts)
