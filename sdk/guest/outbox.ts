import { type List, list } from "./primordials.ts";

let box = list<unknown>();
let requests = 0;
let logs = 0;
let carried = 0;
let turn = 0;

/** Begins a turn. */
export function openOutbox(): List<unknown> {
  box = list();
  turn++;
  requests = 0;
  carried = 0;
  logs = 0;
  return box;
}

export function put(item: unknown): void {
  box[box.length] = item;
}

export function at(index: number, item: unknown): void {
  box[index] = item;
}

export const size = (): number => box.length;
export const read = (index: number): unknown => box[index];
/** What the last turn put in, for a runner that could not take it. */
export const lastOutbox = (): List<unknown> => box;
export const turnNumber = (): number => turn;

/** Counts a request of this turn; false where there are too many. */
export const mayRequest = (limit: number): boolean => ++requests <= limit;
/** Counts characters that leave with this turn; false where they are too many together. */
export const mayCarry = (chars: number, limit: number): boolean => {
  carried += chars;
  return carried <= limit;
};
export const mayLog = (limit: number): boolean => ++logs <= limit;
