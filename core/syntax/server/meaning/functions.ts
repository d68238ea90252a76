import type { Node, Script } from "../bash/ast.ts";

/** All functions that a script defines, by name, which may be several; under the empty name everything that it does. */
export function functionsOf(script: Script): Map<string, Node[]> {
  const found = new Map<string, Node[]>();
  const bodies = (name: string): Node[] => {
    const list = found.get(name) ?? [];
    found.set(name, list);
    return list;
  };
  const visitAll = (each: Script | undefined) => {
    for (const { node } of each?.items ?? []) visit(node);
  };
  const visit = (node: Node): void => {
    switch (node.kind) {
      case "function":
        bodies(node.name).push(node.body);
        visit(node.body);
        break;
      case "pipeline":
        for (const part of node.parts) visit(part);
        break;
      case "andor":
        visit(node.first);
        for (const each of node.rest) visit(each.node);
        break;
      case "coproc":
        visit(node.body);
        break;
      case "if":
        for (const { condition, body } of node.clauses) {
          visitAll(condition);
          visitAll(body);
        }
        visitAll(node.otherwise);
        break;
      case "while":
        visitAll(node.condition);
        visitAll(node.body);
        break;
      case "case":
        for (const { body } of node.arms) visitAll(body);
        break;
      case "group":
      case "for":
      case "count":
        visitAll(node.body);
    }
  };
  visitAll(script);
  if (found.size > 0) found.set("", [{ kind: "group", body: script, subshell: false, redirects: [] }]);
  return found;
}
