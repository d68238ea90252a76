import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, isAbsolute, join } from "node:path";
import { MortiseError } from "../../../sdk/errors.ts";

const program = process.platform === "win32" ? "rg.exe" : "rg";
let known: Promise<string> | undefined;

/** The path of ripgrep: the one that came with the package, or else the first on PATH. Throws `run_failed` where there is none. */
export function findRipgrep(): Promise<string> {
  known ??= find([fromPackage(), ...fromPath(process.env.PATH)]).catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function find(candidates: readonly (string | undefined)[]): Promise<string> {
  for (const path of candidates) {
    if (path !== undefined && (await canRun(path))) return path;
  }
  throw new MortiseError("run_failed", { seen: "ripgrep, which is neither installed with the package nor on PATH" });
}

/** Looked up at run time, since a bundle cannot hold a program. The binary is a package of its own that the first one depends on. */
function fromPackage(): string | undefined {
  try {
    const main = createRequire(import.meta.url).resolve("@vscode/ripgrep");
    return createRequire(main).resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`);
  } catch {
    return undefined;
  }
}

/** Relative entries would find what the project put there. */
function fromPath(path = ""): string[] {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, program));
}

function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
