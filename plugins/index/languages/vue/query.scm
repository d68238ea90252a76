(document (script_element (start_tag ">" @_body)) @blocks)
(document (style_element (start_tag ">" @_body)) @blocks)
(document (template_element (start_tag ">" @_body)) @blocks)
((element [(start_tag (tag_name) @_tag ">" @_body) (self_closing_tag (tag_name) @_tag "/>" @_body)]) @method (#match? @_tag "^[A-Z]|-"))
((element [(start_tag (attribute (attribute_name) @_id) ">" @_body) (self_closing_tag (attribute (attribute_name) @_id) "/>" @_body)]) @method (#eq? @_id "id"))
(template_element (start_tag (directive_attribute) ">" @_body)) @method
