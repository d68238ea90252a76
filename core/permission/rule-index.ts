import type { Pattern } from "./pattern.ts";
import type { Scope } from "./permission.ts";
import { isAboutSecrets, isSecret } from "./read-defaults.ts";

/** Rules by the program that they name, so that most are not tried on most commands. */
export type RuleIndex = {
  patterns: readonly Pattern[];
  /** Those that may match, in their order. `folds`: whether names that differ in case alone are one file. */
  candidates(scope: Scope, folds: boolean): readonly Pattern[];
};

/** Sets of names whose rules are remembered. */
const MAX_KNOWN = 1_000;

export function createRuleIndex(patterns: readonly Pattern[]): RuleIndex {
  const byName = new Map<string, number[]>();
  /** Those that may be about any command. */
  const open: number[] = [];
  for (const [at, pattern] of patterns.entries()) {
    const [first] = pattern.words;
    if (pattern.universal || pattern.amongWords || first === undefined || !("word" in first)) {
      open.push(at);
      continue;
    }
    const name = nameOf(first.word);
    const list = byName.get(name) ?? [];
    list.push(at);
    byName.set(name, list);
  }
  const known = new Map<string, readonly Pattern[]>();

  function named(names: ReadonlySet<string>): readonly Pattern[] {
    const key = [...names].join("\0");
    const before = known.get(key);
    if (before !== undefined) return before;
    const at = new Set([...open, ...[...names].flatMap((name) => byName.get(name) ?? [])]);
    const found = [...at].sort((a, b) => a - b).map((each) => patterns[each]!);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, found);
    return found;
  }

  const paths = patterns.filter((pattern) => pattern.universal || pattern.pathlike);
  const ordinary = paths.filter(({ rule }) => !isAboutSecrets(rule));
  return {
    patterns,
    candidates(scope, folds) {
      // A hundred patterns are about secrets, and most files are none.
      if (scope.kind === "path") return folds || scope.below || isSecret(scope.text) ? paths : ordinary;
      if (scope.kind !== "command") return patterns;
      const program = scope.argv?.[0];
      if (program !== undefined && !program.static) return patterns;
      const [written = ""] = scope.text.trim().split(/\s/, 1);
      return named(
        new Set([
          nameOf(written),
          written,
          ...(program === undefined ? [] : [nameOf(program.text)]),
          ...(scope.within ?? []).map(({ argv }) => nameOf(argv[0]?.text ?? "")),
        ]),
      );
    },
  };
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}
