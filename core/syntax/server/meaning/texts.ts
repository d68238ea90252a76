import { parseBash } from "../bash/parse.ts";
import { functionsOf } from "./functions.ts";
import { type Functions, force, type Scene } from "./scene.ts";
import { after, join, type State } from "./state.ts";
import { runScript } from "./walk.ts";

function joined(before: Functions, own: Functions): Functions {
  if (own.size === 0) return before;
  return new Map([...before, ...own].map(([name]) => [name, [...(before.get(name) ?? []), ...(own.get(name) ?? [])]]));
}

const MAX_NESTED = 6;

/** Reads texts that a shell is given, each of which may be it. What the shell is like after them is answered. */
export function runTexts(sources: readonly string[], why: string, state: State, scene: Scene): State {
  if (scene.depth >= MAX_NESTED) {
    force(scene, "texts for a shell in texts for a shell", sources[0] ?? "");
    return state;
  }
  let end: State | undefined;
  for (const source of sources) {
    scene.budget.left -= source.length + 1;
    if (scene.budget.left < 0) {
      force(scene, "too much text for shells", source);
      continue;
    }
    const { script, error, doubts } = parseBash(source);
    if (error !== undefined || doubts.length > 0) force(scene, error ?? doubts[0]!, source);
    const own: Scene = { ...scene, depth: scene.depth + 1, functions: joined(scene.functions, functionsOf(script)) };
    end = join(end, after(runScript(script, state, own)));
  }
  if (why !== "") force(scene, why, sources[0] ?? "");
  return end ?? state;
}
