import type { Atom } from "./atoms.ts";
import type { Value } from "./state.ts";

/** What is known of a word that an expansion makes. */
export type Field = {
  /** All it may be; undefined where that is not known. */
  texts: readonly string[] | undefined;
  /** What it begins with. */
  lead: string;
  /** What is not known of it has no way out of the folder that `lead` names. */
  contained: boolean;
};

/** The words that atoms without braces make; undefined where even their number is not known. */
export function fieldsOf(atoms: readonly Atom[], splits: boolean): Field[] | undefined {
  const done: Field[] = [];
  let open: Building | undefined;
  for (const atom of atoms) {
    if (atom.char !== undefined) open = addText(open, [atom.char], atom.char);
    else if (atom.quoted !== undefined) open = addText(open, [atom.quoted], QUOTED.repeat(Math.min(atom.quoted.length, 1)));
    else if (!atom.split) {
      const { value } = atom;
      if (value.kind === "list") {
        // Each is a word of its own; the first and last join with what stands around.
        if (value.items.length === 0) continue;
        for (const [at, item] of value.items.entries()) {
          if (at > 0) {
            if (open !== undefined) done.push(close(open));
            open = undefined;
          }
          open = addText(open, [item], QUOTED);
        }
      } else open = addValue(open ?? fresh(), value);
    } else {
      const pieces = splits ? split(atom.value) : undefined;
      if (pieces === undefined) {
        if (atom.value.kind === "number" || atom.value.kind === "glob") open = addValue(open ?? fresh(), atom.value);
        else return undefined;
      } else {
        if (pieces.before && open !== undefined) {
          done.push(close(open));
          open = undefined;
        }
        for (const [at, piece] of pieces.words.entries()) {
          if (at > 0 && open !== undefined) {
            done.push(close(open));
            open = undefined;
          }
          open = addText(open, piece, piece.length === 1 ? piece[0]! : QUOTED);
        }
        if (pieces.after && open !== undefined) {
          done.push(close(open));
          open = undefined;
        }
      }
    }
    if (done.length > MAX_FIELDS) return undefined;
  }
  if (open !== undefined) done.push(close(open));
  return done;
}

const MAX_FIELDS = 64;
const MAX_TEXTS = 16;
const QUOTED = "\u0001";
/** Characters that match file names where no quote stands around them. */
export const GLOB = /[*?]|\[[^\]]*\]|[@!+]\(/;

type Building = { texts: string[] | undefined; lead: string; bare: string; holes: string; contained: boolean };

function fresh(): Building {
  return { texts: [""], lead: "", bare: "", holes: "", contained: true };
}

function addText(open: Building | undefined, choices: readonly string[], bare: string): Building {
  const building = open ?? fresh();
  building.bare += bare;
  if (building.texts === undefined) building.holes += choices.length === 1 ? choices[0] : "";
  else {
    const made = building.texts.flatMap((text) => choices.map((choice) => text + choice));
    if (made.length > MAX_TEXTS) return addValue(building, { kind: "unknown" });
    building.texts = made;
    building.lead = made.length === 1 ? made[0]! : building.lead;
  }
  return building;
}

function addValue(building: Building, value: Value): Building {
  if (value.kind === "texts") return addText(building, value.texts, QUOTED);
  if (value.kind === "glob" && building.texts !== undefined) building.lead += value.lead;
  building.texts = undefined;
  building.bare += QUOTED;
  if (value.kind !== "number" && value.kind !== "glob") building.contained = false;
  return building;
}

function close({ texts, lead, bare, holes, contained }: Building): Field {
  const glob = GLOB.exec(bare);
  if (texts !== undefined && glob === null) return { texts, lead, contained: true };
  // Of quoted text the bare one is shorter, so what comes before a glob is only known where none is there.
  const known = texts === undefined ? lead : bare.slice(0, glob!.index).includes(QUOTED) ? cutAtGlob(lead) : lead.slice(0, glob!.index);
  const rest = texts === undefined ? holes : lead.slice(known.length);
  const dots = /(?:^|\/)\.{1,2}$/.test(known) || /(?:^|\/)\.\.(?:\/|$)/.test(rest);
  return { texts: undefined, lead: known, contained: contained && !dots };
}

function cutAtGlob(text: string): string {
  return /^[^*?[@!+]*/.exec(text)![0];
}

/** An expansion without quotes comes apart at blanks, and what looks like a glob is one. */
function split(value: Value): { words: string[][]; before: boolean; after: boolean } | undefined {
  if (value.kind === "list") {
    const parts = value.items.map((item) => split({ kind: "texts", texts: [item] }));
    if (parts.some((part) => part === undefined)) return undefined;
    return { words: parts.flatMap((part) => part!.words), before: false, after: false };
  }
  if (value.kind !== "texts") return undefined;
  if (value.texts.every((text) => /^[^\s*?[\]\\()]+$/.test(text))) return { words: [[...value.texts]], before: false, after: false };
  const [text, ...others] = value.texts;
  if (text === undefined || others.length > 0) return undefined;
  const words = text.split(/[ \t\n]+/).filter((word) => word !== "");
  return { words: words.map((word) => [word]), before: /^[ \t\n]/.test(text), after: /[ \t\n]$/.test(text) };
}
