(document) @whole
(atx_heading) @headings
(setext_heading) @headings
