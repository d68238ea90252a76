import { construct, defineProperty, deleteProperty, NativeTypeError } from "./primordials.ts";

/** Takes away what escapes the limits of an isolate: memory that is not counted, work that no turn bounds. */
export function harden(): void {
  for (const name of ["WebAssembly", "SharedArrayBuffer", "Atomics", "FinalizationRegistry"]) deleteProperty(globalThis, name);
  fixedBuffers();
}

/** An `ArrayBuffer` without `maxByteLength`: V8 does not count what a resizable one grows to. */
function fixedBuffers(): void {
  const Native = ArrayBuffer;
  const prototype = Native.prototype;
  for (const name of ["resize", "transfer", "transferToFixedLength", "transferToImmutable"]) deleteProperty(prototype, name);
  function FixedArrayBuffer(this: unknown, length?: unknown): unknown {
    if (new.target === undefined) throw new NativeTypeError("Constructor ArrayBuffer requires 'new'");
    return construct(Native, [length], new.target);
  }
  hidden(FixedArrayBuffer, "name", "ArrayBuffer");
  hidden(FixedArrayBuffer, "isView", Native.isView);
  FixedArrayBuffer.prototype = prototype;
  defineProperty(FixedArrayBuffer, Symbol.species, { get: () => FixedArrayBuffer, configurable: true });
  hidden(prototype, "constructor", FixedArrayBuffer);
  hidden(globalThis, "ArrayBuffer", FixedArrayBuffer);
}

/** Puts a global or method in its place, not enumerable, as built-ins are. */
export function hidden(target: object, name: string, value: unknown): void {
  defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
}
