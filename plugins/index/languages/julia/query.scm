(line_comment) @doc
(block_comment) @doc
(source_file (string_literal) @doc)
(module_definition (string_literal) @doc)
(using_statement) @import
(import_statement) @import
(export_statement) @exports

(module_definition name: (_) . (_) @_body) @mod
(struct_definition (type_head) . (_) @_body) @types
(struct_definition) @types
(struct_definition [(typed_expression) (identifier)] @field)
(abstract_definition) @types
(primitive_definition) @types
(macrocall_expression (macro_identifier (identifier) @_macro) (macro_argument_list . (identifier) (identifier) @brief)) @types

(function_definition (signature) . (_) @_body) @fns
(function_definition) @fns
(macro_definition (signature) . (_) @_body) @macros
(assignment . (call_expression) (operator) @_body) @fns
(assignment . (typed_expression (call_expression)) (operator) @_body) @fns
(const_statement) @consts
