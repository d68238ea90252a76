import { join } from "node:path";
import type { Journal } from "../agent/journal.ts";
import { makeFolder } from "../config/make-folder.ts";
import { createKeptImages, LOG_IMAGE_CHARS } from "./kept-images.ts";
import { LOG_VERSION } from "./records.ts";
import { createSession } from "./session.ts";
import { sessionFiles } from "./session-files.ts";
import { createState } from "./session-state.ts";

/** What a subagent says and does, as a log of its own in the folder of its session, with which it goes. */
export type TaskJournal = Journal & { close(): Promise<void> };

/** Nothing is written before the first message. */
export function createTaskJournal(stateFolder: string, sessionId: string, task: { id: string; model: string; cwd: string }): TaskJournal {
  const files = sessionFiles(stateFolder, sessionId);
  const folder = join(files.folder, "tasks");
  const log = join(folder, `${task.id}.jsonl`);
  const header = {
    t: "header",
    v: LOG_VERSION,
    id: task.id,
    model: task.model,
    backend: "ai-sdk",
    cwd: task.cwd,
    created: new Date().toISOString(),
    title: "",
  } as const;
  const session = createSession(
    { ...createState(header), length: 0, images: createKeptImages(LOG_IMAGE_CHARS) },
    { ...files, log },
    { release() {} },
    // It is written once and read never by the program: it need not be short.
    { now: Date.now, imageChars: LOG_IMAGE_CHARS, rewriteBytes: Number.POSITIVE_INFINITY },
  );
  let made: Promise<void> | undefined;
  return {
    ...session,
    async append(message) {
      made ??= makeFolder(folder);
      await made;
      await session.append(message);
    },
  };
}
