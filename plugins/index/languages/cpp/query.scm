; What C++ has beyond C.
(namespace_definition body: (_) @_body) @mod.flat

(template_declaration (class_specifier body: (_))) @classes
(class_specifier body: (_) @_body) @classes
(template_declaration [(struct_specifier body: (_)) (union_specifier body: (_)) (alias_declaration) (concept_definition)]) @types
(alias_declaration) @types.top
(concept_definition) @types

(field_declaration_list (function_definition body: (_) @_body) @method)
(field_declaration_list (function_definition !body) @method)
(field_declaration_list (declaration) @method)
(field_declaration_list (template_declaration [(function_definition) (declaration) (friend_declaration)]) @method)
(field_declaration_list (friend_declaration [(function_definition) (declaration)]) @method)
(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)])) @method
(field_declaration declarator: (_ (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)]))) @method
(field_declaration declarator: (pointer_declarator declarator: (_ (function_declarator declarator: [(field_identifier) (operator_name)])))) @method
(template_declaration (function_definition body: (_) @_body)) @fns
(template_declaration (declaration)) @fns.top
(function_definition !body) @fns
(function_definition (field_initializer_list) @_body)
(declaration declarator: (reference_declarator (function_declarator declarator: (identifier)))) @fns.top
(declaration declarator: (function_declarator declarator: [(qualified_identifier) (operator_name)])) @fns.top

; What the parser saw of something broken lies in an error.
(ERROR "class" . (_) @classes)
