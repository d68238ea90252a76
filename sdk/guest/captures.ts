import { isObject, parse } from "./primordials.ts";
import { given, request } from "./requests.ts";

type Packed = { names: string[]; types: string[]; places: number[]; texts: string[] };
type Capture = { name: string; type: string; start: number; end: number; startRow: number; endRow: number; startColumn: number; text: string };

/** Numbers of `places` that each capture has. */
const WIDTH = 7;

/** Asks for a query; its captures come as one string, and are made objects of here. */
export async function querySyntax(asked: unknown): Promise<unknown> {
  const answer = await request("syntax.query", given(asked));
  if (!isObject(answer) || typeof answer.captures !== "string") return answer;
  answer.captures = unpacked(parse(answer.captures) as Packed);
  return answer;
}

function unpacked({ names, types, places, texts }: Packed): Capture[] {
  const captures: Capture[] = [];
  for (let at = 0, index = 0; at < places.length; at += WIDTH, index++) {
    captures[index] = {
      name: names[places[at]!]!,
      type: types[places[at + 1]!]!,
      start: places[at + 2]!,
      end: places[at + 3]!,
      startRow: places[at + 4]!,
      endRow: places[at + 5]!,
      startColumn: places[at + 6]!,
      text: texts[index]!,
    };
  }
  return captures;
}
