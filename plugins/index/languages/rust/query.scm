(source_file (line_comment inner: (_)) @module)
(source_file (block_comment inner: (_)) @module)
(line_comment !inner) @doc
(block_comment !inner) @doc
((attribute_item) @_attribute . (line_comment)* . (attribute_item)* . (mod_item body: (_)) @test (#match? @_attribute "cfg\\(.*\\btest\\b"))
((attribute_item) @_attribute . (line_comment)* . (attribute_item)* . (function_item body: (_) @_body) @test.leaf (#match? @_attribute "^#\\[(\\w+::)*(test|rstest|bench)\\b"))
(attribute_item) @attr

(use_declaration) @import
(extern_crate_declaration) @import
(mod_item) @mod
(mod_item body: (_) @_body)

(const_item value: (_) @_body) @consts.top
(static_item value: (_) @_body) @consts.top
(const_item !value) @consts.top
(static_item !value) @consts.top

(struct_item body: (field_declaration_list) @_body) @types
(struct_item) @types
(union_item body: (_) @_body) @types
(field_declaration_list (field_declaration) @field)
(enum_item body: (_) @_body) @types
(enum_variant body: (field_declaration_list) @_body) @brief
(enum_variant value: (_) @_body) @brief
(enum_variant) @brief
(source_file (type_item) @types)
(mod_item (declaration_list (type_item) @types))

(trait_item body: (_) @_body) @traits
(impl_item body: (_) @_body) @impls
(impl_item !body) @impls
(declaration_list (associated_type) @field.at)
(impl_item (declaration_list (type_item) @field.at))
(impl_item (declaration_list (function_item body: (_) @_body) @method))
(impl_item (declaration_list (macro_invocation) @_ignored))
(trait_item (declaration_list (function_item body: (_) @_body) @method))
(trait_item (declaration_list (function_signature_item) @method))
(function_item body: (_) @_body) @fns
(function_signature_item) @fns
(macro_definition . name: (_) . _ @_body) @macros
