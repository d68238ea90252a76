import type { Tree } from "./tree.ts";

/** Bash evaluates the value of a variable in arithmetic again, subscripts with substitutions in them included. */
export const arithmetic = {
  evaluates(node: Tree, source: string, safe: ReadonlySet<string> = new Set()): boolean {
    if (node.children.length === 0) {
      const text = source.slice(node.start, node.end);
      return node.named && !/^(?:number|test_operator|comment)$/.test(node.type) && !safe.has(text) && !/^\d+$/.test(text);
    }
    if (node.type === "number") return true;
    return node.children.some((child) => arithmetic.evaluates(child, source, safe));
  },

  /** Variables that the loop itself sets to numbers are plain. */
  evaluatesLoop(loop: Tree, source: string): boolean {
    const safe = new Set<string>();
    for (const child of loop.children) {
      if (child.field !== "initializer" || child.type !== "variable_assignment") continue;
      const name = child.children[0];
      const value = child.children.at(-1);
      if (name?.type === "variable_name" && value?.type === "number" && value.children.length === 0) safe.add(source.slice(name.start, name.end));
    }
    return loop.children.some((child) => HEADER.has(child.field ?? "") && arithmetic.evaluates(child, source, safe));
  },
};

const HEADER = new Set(["initializer", "condition", "update"]);

/** Whether `${...}` does more than read a variable: `${v@P}`, `${!v}`, `${v:a}`, `${a[i]}`. */
export function evaluatesExpansion(node: Tree, source: string): boolean {
  if (node.type === "subscript") {
    const index = node.children.find((child) => child.field === "index");
    return index !== undefined && !/^(?:-?\d+|[@*])$/.test(source.slice(index.start, index.end));
  }
  const operators = node.children.filter((child) => child.field === "operator").map((child) => source.slice(child.start, child.end));
  if (operators.includes("P") || operators[0] === "!") return true;
  const colon = node.children.findIndex((child) => child.field === "operator" && child.type === ":");
  return colon !== -1 && node.children.slice(colon + 1).some((child) => arithmetic.evaluates(child, source));
}

/** Whether a `[` or `[[` evaluates what it compares. */
export function evaluatesTest(node: Tree, source: string): boolean {
  const double = node.children[0]?.type === "[[";
  const visit = (inner: Tree): boolean => {
    const operator = inner.children.find((child) => child.type === "test_operator");
    const name = operator === undefined ? "" : source.slice(operator.start, operator.end);
    const operands = inner.children.filter((child) => child.named && child !== operator);
    if (double && /^-(?:eq|ne|lt|le|gt|ge)$/.test(name) && operands.some((operand) => !/^-?\d+$/.test(source.slice(operand.start, operand.end))))
      return true;
    if (/^-[vR]$/.test(name) && operands.some((operand) => !/^[A-Za-z_]\w*$/.test(source.slice(operand.start, operand.end)))) return true;
    return inner.children.some(visit);
  };
  return node.children[0]?.type === "((" ? arithmetic.evaluates(node, source) : visit(node);
}
