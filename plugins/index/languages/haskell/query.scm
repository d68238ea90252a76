(haskell . (haddock) @module)
(haskell (pragma) . (haddock) @module)
(haddock) @doc
(comment) @doc
(header module: (_)) @mod
(import) @import

(data_type) @types
(newtype) @types
(data_type constructors: (_) @_body)
(newtype constructor: (_) @_body)
(data_type deriving: (_) @_body)
(data_constructor constructor: (record name: (_) @brief))
(data_constructor constructor: (prefix name: (_) @brief))
(data_constructor constructor: (infix operator: (_) @brief))
(gadt_constructor name: (_) @brief)
(newtype_constructor name: (_) @brief)
(fields (field) @field)
(newtype_constructor field: (record (field) @field))
(type_synomym) @types
(type_family) @types
(declarations (data_family) @types)
(class declarations: (_) @_body) @traits
(class) @traits
(class_declarations (signature) @method)
(instance declarations: (_) @_body) @impls
(instance) @impls
(deriving_instance) @impls
(foreign_import) @fns

(declarations (signature) @fns)
(declarations (function match: (_) @_body) @fns)
(declarations (bind match: (_) @_body) @fns)
(declarations (pattern_synonym) @fns)
