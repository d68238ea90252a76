; What C and C++ have in common.
(comment) @doc
(preproc_include) @import

(preproc_def name: (_) value: (_)) @consts.top
(preproc_function_def value: (_) @_body) @macros.top
(preproc_function_def !value) @macros.top

(function_definition body: (_) @_body) @fns
(declaration declarator: (function_declarator declarator: (identifier))) @fns.top
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier)))) @fns.top
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier))))) @fns.top

(type_definition type: (struct_specifier body: (_) @_body) declarator: (_) @tail) @types.top
(type_definition type: (union_specifier body: (_) @_body) declarator: (_) @tail) @types.top
(type_definition type: (enum_specifier body: (_) @_body) declarator: (_) @tail) @types.top
(type_definition) @types.top
(struct_specifier body: (_) @_body) @types
(union_specifier body: (_) @_body) @types
(enum_specifier body: (_) @_body) @types
(field_declaration declarator: (_) @tail) @field
(enumerator name: (_) @brief)

; A type and what is of it in one.
(declaration type: [(struct_specifier body: (_) @_body) (union_specifier body: (_) @_body) (enum_specifier body: (_) @_body)] declarator: (init_declarator declarator: (_) @tail)) @types.top
(declaration type: [(struct_specifier body: (_) @_body) (union_specifier body: (_) @_body) (enum_specifier body: (_) @_body)] declarator: (_) @tail) @types.top
(translation_unit (declaration) @consts.top)
(preproc_ifdef (declaration) @consts.top)
(preproc_if (declaration) @consts.top)
(preproc_else (declaration) @consts.top)
(declaration_list (declaration) @consts.top)
(init_declarator value: (initializer_list) @_body)
