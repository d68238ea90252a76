(call target: (identifier) @_use (#any-of? @_use "alias" "import" "use" "require")) @import

((call target: (identifier) @_def (arguments (alias)) (do_block) @_body) @classes (#eq? @_def "defmodule"))
((call target: (identifier) @_def (do_block) @_body) @traits (#eq? @_def "defprotocol"))
((call target: (identifier) @_def (do_block) @_body) @impls (#eq? @_def "defimpl"))

((call target: (identifier) @_test (arguments (string)) (do_block) @_body) @test (#any-of? @_test "test" "property"))
((call target: (identifier) @_def (do_block) @_body) @method (#any-of? @_def "def" "defp" "defmacro" "defmacrop"))
((call target: (identifier) @_def (arguments (_) (keywords) @_body)) @method (#any-of? @_def "def" "defp" "defmacro" "defmacrop"))
((call target: (identifier) @_def) @method (#any-of? @_def "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp"))
((call target: (identifier) @_def) @field.at (#any-of? @_def "defstruct" "defexception" "defrecord" "defrecordp"))

((unary_operator "@" operand: (call target: (identifier) @_name)) @doc (#any-of? @_name "doc" "typedoc" "spec" "impl" "deprecated" "since"))
((unary_operator "@" operand: (call target: (identifier) @_name)) @field.at (#any-of? @_name "type" "typep" "opaque" "callback" "macrocallback"))
((unary_operator "@" operand: (call target: (identifier) @_name)) @field.at (#not-any-of? @_name "moduledoc" "typedoc" "doc" "spec" "impl" "deprecated" "since" "behaviour" "derive" "type" "typep" "opaque" "callback" "macrocallback"))
(comment) @doc
