; Headings by their text, and what has an id or is a landmark by its tag.
((element (start_tag (tag_name) @_tag)) @headings.leaf (#match? @_tag "^[hH][1-6]$"))
((element (start_tag (tag_name) @_tag)) @headings.leaf (#match? @_tag "^(title|TITLE)$"))
((element [(start_tag (tag_name) @_tag ">" @_body) (self_closing_tag (tag_name) @_tag "/>" @_body)]) @blocks (#match? @_tag "^(?i:html|head|body|header|nav|main|section|article|aside|footer|form|table|dialog|template|fieldset|.*-.*)$"))
((element [(start_tag (attribute (attribute_name) @_id) ">" @_body) (self_closing_tag (attribute (attribute_name) @_id) "/>" @_body)]) @blocks (#match? @_id "^(id|ID)$"))
(script_element (start_tag ">" @_body)) @fns
(style_element (start_tag ">" @_body)) @rules
