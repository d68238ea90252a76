(document (object (pair value: (_) @body) @consts))
(document (object (pair value: (object (pair value: (_) @body) @field.at))))
(document (object (pair value: (array (object (pair value: (_) @body) @field.at)))))
(document (array . (object (pair value: (_) @body) @consts)))
