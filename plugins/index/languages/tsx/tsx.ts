import type { Language } from "../../language.ts";
import { typescript } from "../typescript/typescript.ts";

export const tsx: Language = { ...typescript, name: "TSX", grammar: "tsx", extensions: ["tsx"] };
