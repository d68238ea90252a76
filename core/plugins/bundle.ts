import { dirname, resolve } from "node:path";
import type { Message } from "esbuild";
import { MortiseError } from "../../sdk/errors.ts";
import { sha256 } from "../config/project-files.ts";
import { bundler, hasEnded } from "./bundler.ts";
import { findEntryFile } from "./entry-file.ts";
import { createResolver, type Input } from "./resolver.ts";

export type BundleSource = { path: string } | { name: string; source: string };

export type Bundle = {
  /** The entry file, canonical; or the name given to inline source. */
  entry: string;
  /** One script; its completion value is the plugin's default export. */
  code: string;
  /** Every file that went in or decided what goes in, with the hash of exactly what was bundled. */
  inputs: readonly Input[];
  /** Over what was written for the plugin: the same wherever its folder lies. */
  sourceHash: string;
  /** Its source map, as JSON, where one was asked for. A line of `code` is the one before in it. */
  map?: string;
};

const maxChars = 8 * 1024 * 1024;

/**
 * Bundles a plugin into one script for an isolate. The SDK and `zod/mini` are this project's own.
 * Throws `plugin_not_found`, `plugin_unreadable`, `plugin_undefined`, or `plugin_not_compiled` with `file:line:column: message`.
 */
export async function bundlePlugin(source: BundleSource, withMap = false): Promise<Bundle> {
  const inline = "source" in source;
  if (inline && source.source.trim() === "") throw new MortiseError("plugin_undefined", { seen: `${source.name} is empty` });
  const file = inline ? undefined : await findEntryFile(source.path);
  const folder = file === undefined ? process.cwd() : dirname(file.path);
  const resolver = createResolver(file === undefined ? { inline: inline ? source : { name: "", source: "" } } : { file });
  const [text, map] = withoutMap(await compile(resolver, folder, file?.path ?? (inline ? source.name : ""), withMap));
  if (text.length > maxChars)
    throw new MortiseError("plugin_not_compiled", { seen: `the bundle has ${text.length} characters, and at most ${maxChars} are taken` });
  const inputs = await resolver.inputs();
  return {
    entry: file?.path ?? (inline ? source.name : ""),
    code: script(text),
    ...(map === undefined ? {} : { map }),
    inputs,
    sourceHash: inline ? sha256(source.source) : sha256(JSON.stringify(inputs.map(({ name, hash }) => [name, hash]))),
  };
}

/** What a bundle hands its default export to: the one name it uses and does not declare. */
const hook = "__mortise_plugin__";

/** Modules are strict, which a script is only where it says so; a dependency that is no module may not be. */
function script(text: string): string {
  const strict = text.includes("__commonJS(") ? "" : '"use strict"; ';
  return `(() => { ${strict}let plugin; const ${hook} = (value) => { plugin = value; };\n${text}return plugin; })()`;
}

const mapComment = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\s*$/;

function withoutMap(text: string): [text: string, map: string | undefined] {
  const [comment, base64] = mapComment.exec(text) ?? [];
  if (comment === undefined || base64 === undefined) return [text, undefined];
  return [text.slice(0, -comment.length), Buffer.from(base64, "base64").toString("utf8")];
}

async function compile(resolver: ReturnType<typeof createResolver>, folder: string, shown: string, withMap: boolean): Promise<string> {
  try {
    const result = await bundler((esbuild) =>
      esbuild.build({
        stdin: { contents: `import plugin from "mortise:entry"; ${hook}(plugin);`, resolveDir: folder, sourcefile: "mortise:start" },
        plugins: [resolver.plugin],
        absWorkingDir: folder,
        bundle: true,
        write: false,
        format: "iife",
        platform: "neutral",
        target: "es2024",
        mainFields: ["browser", "module", "main"],
        conditions: ["module", "browser"],
        // A plugin means the same wherever it lies: a tsconfig.json near by does not count.
        tsconfigRaw: {},
        loader: { ".scm": "text" },
        define: { "process.env.NODE_ENV": '"production"' },
        charset: "utf8",
        legalComments: "none",
        logLevel: "silent",
        ...(withMap ? { sourcemap: "inline", sourcesContent: false } : {}),
      }),
    );
    return result.outputFiles[0]?.text ?? "";
  } catch (cause) {
    throw failure(cause, folder, shown);
  }
}

function failure(cause: unknown, folder: string, shown: string): MortiseError {
  if (hasEnded(cause)) return new MortiseError("plugin_not_compiled", { seen: `${shown} ended the bundler; it is nested too deeply`, cause });
  const errors = messagesOf(cause);
  if (errors.length === 0)
    return new MortiseError("plugin_not_compiled", { seen: `${shown}: ${cause instanceof Error ? cause.message : String(cause)}`, cause });
  const undefinedDefault = errors.some(({ location, text }) => location?.file === "mortise:start" && text.startsWith("No matching export"));
  if (undefinedDefault) return new MortiseError("plugin_undefined", { seen: `${shown} has no default export`, cause });
  return new MortiseError("plugin_not_compiled", {
    seen: errors
      .slice(0, 5)
      .map((error) => print(error, folder))
      .join("; "),
    cause,
  });
}

function messagesOf(cause: unknown): readonly Message[] {
  return cause instanceof Error && "errors" in cause && Array.isArray(cause.errors) ? cause.errors : [];
}

function print({ location, text }: Message, folder: string): string {
  if (location === null) return text;
  const file = location.file.startsWith("inline:") ? location.file.slice("inline:".length) : resolve(folder, location.file);
  return `${file}:${location.line}:${location.column + 1}: ${text}`;
}
