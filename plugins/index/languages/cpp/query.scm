; What C++ has beyond C.
(namespace_definition body: (_) @_body) @mod.flat

(template_declaration (class_specifier body: (_))) @classes
(class_specifier body: (_) @_body) @classes
(template_declaration [(struct_specifier body: (_)) (union_specifier body: (_)) (alias_declaration) (concept_definition)]) @types
(alias_declaration) @types.top
(concept_definition) @types

(field_declaration_list [(function_definition) (declaration)] @method)
(field_declaration_list (_ body: (_) @_body))
(field_declaration_list (template_declaration [(function_definition) (declaration) (friend_declaration)]) @method)
(field_declaration_list (friend_declaration [(function_definition) (declaration)]) @method)
(field_declaration declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)])
  (_ [
    (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)])
    (_ (function_declarator declarator: [(field_identifier) (operator_name)]))
  ])
]) @method

(template_declaration (function_definition)) @fns
(template_declaration (declaration)) @fns.top
(template_declaration (_ body: (_) @_body))
(function_definition [body: (_) @_body (field_initializer_list) @_body])
(declaration declarator: [
  (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name)])
  (_ !value [
    (function_declarator declarator: (identifier))
    (_ (function_declarator declarator: (identifier)))
  ])
]) @fns.top

; What the parser saw of something broken lies in an error.
(ERROR "class" . (_) @classes)
