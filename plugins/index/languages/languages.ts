import type { Language } from "../language.ts";
import { c } from "./c/c.ts";
import { go } from "./go/go.ts";
import { java } from "./java/java.ts";
import { javascript } from "./javascript/javascript.ts";
import { python } from "./python/python.ts";
import { rust } from "./rust/rust.ts";
import { tsx } from "./tsx/tsx.ts";
import { typescript } from "./typescript/typescript.ts";

/** Every language there is a folder for. */
export const languages: readonly Language[] = [c, go, java, javascript, python, rust, tsx, typescript];
