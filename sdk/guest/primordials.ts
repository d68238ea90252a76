/** Built-ins as they were before any plugin code ran. The prelude uses nothing else, so that a plugin that changes them harms itself alone. */

type Uncurried = <T, A extends readonly unknown[], R>(method: (this: T, ...args: A) => R) => (self: T, ...args: A) => R;

const uncurry = Function.prototype.bind.bind(Function.prototype.call) as Uncurried;

export const NativePromise = Promise;
export const NativeError = Error;
export const NativeTypeError = TypeError;
export const { isArray } = Array;
export const { keys, hasOwn, getPrototypeOf, setPrototypeOf, freeze, defineProperty } = Object;
export const { construct, ownKeys, getOwnPropertyDescriptor, deleteProperty } = Reflect;
export const { min, max, floor } = Math;
export const { fromCharCode } = String;
export const toText = String;
export const toNumber = Number;
/** Indirect, so that code sees globals and nothing of the prelude. */
// biome-ignore lint/security/noGlobalEval: it is how a plugin gets into its isolate
export const evaluate = eval;

export const parse: (text: string) => unknown = JSON.parse;
export const stringify: (value: unknown, replacer?: (key: string, item: unknown) => unknown) => string | undefined = JSON.stringify;

export const slice = uncurry(String.prototype.slice);
export const charCodeAt = uncurry(String.prototype.charCodeAt);
export const indexOf = uncurry(String.prototype.indexOf as (this: string, text: string, from?: number) => number);
export const weakGet = uncurry(WeakMap.prototype.get as (this: WeakMap<object, string>, key: object) => string | undefined);
export const weakSet = uncurry(WeakMap.prototype.set as (this: WeakMap<object, string>, key: object, value: string) => unknown);
const mapGet = uncurry(Map.prototype.get as (this: Map<number, unknown>, key: number) => unknown);
const mapSet = uncurry(Map.prototype.set as (this: Map<number, unknown>, key: number, value: unknown) => unknown);
const mapDelete = uncurry(Map.prototype.delete as (this: Map<number, unknown>, key: number) => boolean);
export const follow = uncurry(
  Promise.prototype.then as (this: Promise<unknown>, ok: ((value: unknown) => void) | undefined, no: (error: unknown) => void) => Promise<unknown>,
);

/** A record whose keys are looked up in itself alone. */
export type Table<T> = { [key: string | number]: T };
export const table = <T>(): Table<T> => setPrototypeOf({}, null);

/** Its instances inherit nothing. To take the prototype of each array away would cost ten times as much as to make one. */
const Bare: new () => object = class extends Array {};
setPrototypeOf(Bare.prototype, null);
deleteProperty(Bare.prototype, "constructor");
freeze(Bare.prototype);

/** What comes and goes by numbers, which a table would be slow at. */
export type Numbered<T> = { get(key: number): T | undefined; set(key: number, value: T): void; remove(key: number): void };
export const byNumber = <T>(): Numbered<T> => {
  const entries = new Map<number, unknown>();
  return {
    get: (key) => mapGet(entries, key) as T | undefined,
    set: (key, value) => void mapSet(entries, key, value),
    remove: (key) => void mapDelete(entries, key),
  };
};

/** An array without methods: writing an index calls no setter. Read it by index only. */
export type List<T> = { [index: number]: T; length: number };
export const list = <T>(): List<T> => new Bare() as List<T>;
export const add = <T>(to: List<T>, item: T): number => {
  to[to.length] = item;
  return to.length;
};

export const isObject = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === "object" && value !== null;
export const isFunction = (value: unknown): value is (...args: unknown[]) => unknown => typeof value === "function";

/** Calls back once `value` has settled, whatever it is: a promise, another thenable, or a plain value. */
export function settle(value: unknown, ok: (value: unknown) => void, no: (error: unknown) => void): void {
  const promise = new NativePromise((resolve) => resolve(value));
  // Without a constructor of its own, `follow` would look one up where a plugin can change it.
  defineProperty(promise, "constructor", { __proto__: null, value: undefined } as PropertyDescriptor);
  follow(promise, ok, no);
}
