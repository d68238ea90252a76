(document (script_element (start_tag ">" @body)) @blocks)
(document (style_element (start_tag ">" @body)) @blocks)
(document (template_element (start_tag ">" @body)) @blocks)
((element [(start_tag (tag_name) @_tag ">" @body) (self_closing_tag (tag_name) @_tag "/>" @body)]) @method (#match? @_tag "^[A-Z]|-"))
((element [(start_tag (attribute (attribute_name) @_id) ">" @body) (self_closing_tag (attribute (attribute_name) @_id) "/>" @body)]) @method (#eq? @_id "id"))
(template_element (start_tag (directive_attribute) ">" @body)) @method
