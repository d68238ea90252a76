(comment) @doc
(package_clause) @mod
(import_spec) @import

(source_file (const_declaration "(" (const_spec) @consts))
(source_file (const_declaration) @consts (#not-match? @consts "^const\\s*\\("))
(source_file (var_declaration . (var_spec)) @consts)
(source_file (var_declaration (var_spec_list (var_spec) @consts)))
(var_spec value: (_) @_body)

(source_file (type_declaration "(" [(type_spec) (type_alias)] @types))
(source_file (type_declaration) @types (#not-match? @types "^type\\s*\\("))
(statement_list (type_declaration (type_spec type: [(struct_type) (interface_type)])) @types)
(type_spec type: (struct_type (field_declaration_list) @_body))
(type_spec type: (struct_type (field_declaration_list (field_declaration) @field)))
(field_declaration tag: (_) @cut)
(type_spec type: (interface_type "{" @_body))
(type_spec type: (interface_type (method_elem) @method))
(type_spec type: (interface_type (type_elem) @field))

(method_declaration) @impls
(method_declaration body: (_) @_body)
(function_declaration) @fns
(function_declaration body: (_) @_body)
