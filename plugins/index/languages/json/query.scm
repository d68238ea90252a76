(document (object (pair value: (_) @_body) @consts))
(document (object (pair value: (object (pair value: (_) @_body) @field.at))))
(document (object (pair value: (array (object (pair value: (_) @_body) @field.at)))))
(document (array . (object (pair value: (_) @_body) @consts)))
