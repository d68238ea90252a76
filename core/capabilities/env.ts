import * as z from "zod/mini";
import { parseArguments, Word } from "./arguments.ts";
import type { Caller, Methods } from "./capabilities.ts";
import { notGranted, scopesOf } from "./granted.ts";
import { isSecret } from "./secrets.ts";

const Name = z.tuple([Word]);

/** Reads variables of `environment`. A secret has to be named in the grant: `true` does not cover it, nor does `PREFIX_*`. */
export function envMethods(environment: NodeJS.ProcessEnv): Methods {
  return {
    "env.get": async (args, caller) => {
      const [name] = parseArguments("env.get", Name, args);
      if (!readable(name, caller)) throw notGranted(caller, `env ${name}`);
      return Object.hasOwn(environment, name) ? environment[name] : undefined;
    },
  };
}

function readable(name: string, caller: Caller): boolean {
  const scopes = scopesOf(caller, "env");
  if (scopes !== true && scopes.includes(name)) return true;
  if (isSecret(name)) return false;
  return scopes === true || scopes.some((scope) => scope.endsWith("*") && name.startsWith(scope.slice(0, -1)));
}
