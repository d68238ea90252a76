; What C and C++ have in common.
(comment) @doc
(preproc_include) @import

(preproc_def value: (_)) @consts.top
(preproc_function_def) @macros.top
(preproc_function_def value: (_) @_body)

(function_definition) @fns

(type_definition type: (_ body: (_)) declarator: (_) @tail)
(type_definition) @types.top
(struct_specifier body: (_) @_body) @types
(union_specifier body: (_) @_body) @types
(enum_specifier body: (_) @_body) @types
(field_declaration declarator: (_) @tail) @field
(enumerator name: (_) @brief)

; A type and what is of it in one.
(declaration
  type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))]
  declarator: [(init_declarator declarator: (_) @tail) (_) @tail]) @types.top
(translation_unit (declaration) @consts.top)
(preproc_ifdef (declaration) @consts.top)
(preproc_if (declaration) @consts.top)
(preproc_else (declaration) @consts.top)
(declaration_list (declaration) @consts.top)
(init_declarator value: (initializer_list) @_body)
