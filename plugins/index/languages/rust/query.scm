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

(const_item) @consts.top
(const_item value: (_) @_body)
(static_item) @consts.top
(static_item value: (_) @_body)

(struct_item) @types
(struct_item body: (field_declaration_list) @_body)
(union_item body: (_) @_body) @types
(field_declaration) @field
(enum_item body: (_) @_body) @types
(enum_variant) @brief
(enum_variant body: (field_declaration_list) @_body)
(enum_variant value: (_) @_body)
(source_file (type_item) @types)
(mod_item (declaration_list (type_item) @types))

(trait_item body: (_) @_body) @traits
(impl_item) @impls
(impl_item body: (_) @_body)
(associated_type) @field.at
(impl_item body: (declaration_list [(type_item) @field.at (function_item) @method]))
(trait_item body: (declaration_list [(function_item) (function_signature_item)] @method))
(function_item) @fns
(function_item body: (_) @_body)
(function_signature_item) @fns
(macro_definition . name: (_) . _ @_body) @macros
