/** One option as a program's entry describes it. */
export type Option = { name: string; takes: "nothing" | "value" | "glued"; role: string };
export type OptionTable = {
  short: ReadonlyMap<string, Option>;
  long: ReadonlyMap<string, Option>;
  /** Some of them run, write or change something. */
  risky: boolean;
};

const tables = new Map<string, OptionTable>();

/** Reads the text of options; see `Program`. */
export function optionTable(spec: string): OptionTable {
  const known = tables.get(spec);
  if (known !== undefined) return known;
  const short = new Map<string, Option>();
  const long = new Map<string, Option>();
  for (const token of spec.split(/\s+/)) {
    if (token === "") continue;
    const match = /^(-[^:?@]+)(?:([:?])(\w)?|@(\w))?$/.exec(token);
    if (match === null) throw new RangeError(`no option: ${token}`);
    const [, names, takes, valueRole, ownRole] = match;
    const aliases = names!.split(",");
    const takesKind = takes === ":" ? "value" : takes === "?" ? "glued" : "nothing";
    if (aliases.some((alias) => !alias.startsWith("--") && alias.length > 2) && (aliases.length > 1 || takes !== undefined)) {
      throw new RangeError(`more than a letter: ${token}`);
    }
    for (const alias of aliases) {
      const name = aliases.length === 1 ? alias : aliases.at(-1)!;
      const option: Option = { name, takes: takesKind, role: valueRole ?? ownRole ?? "_" };
      if (alias.startsWith("--")) long.set(alias, option);
      else for (const letter of alias.slice(1)) short.set(letter, alias.length > 2 ? { ...option, name: `-${letter}` } : option);
    }
  }
  const risky = [...short.values(), ...long.values()].some(({ role }) => /[wWxpca]/.test(role));
  const table = { short, long, risky };
  tables.set(spec, table);
  return table;
}

/** The option that a long spelling means: whole, or begun so that nothing else begins so. The worst of several that do. */
export function longOption(table: OptionTable, name: string): Option | undefined {
  const exact = table.long.get(name);
  if (exact !== undefined || name.length < 3) return exact;
  const begun = [...table.long].filter(([each]) => each.startsWith(name)).map(([, option]) => option);
  return begun.find(({ role }) => /[xpca]/.test(role)) ?? begun.find(({ role }) => /[wW]/.test(role)) ?? begun[0];
}

/** Whether an option, written with its dashes, is one of the table, or begins a bundle of them. */
export function isListed(table: OptionTable, option: string, single: boolean): boolean {
  if (option.startsWith("--")) return longOption(table, option) !== undefined;
  return table.short.has(option[1]!) || (single && longOption(table, `-${option}`) !== undefined);
}
