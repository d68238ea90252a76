import { Socket } from "node:net";
import { isMainThread, workerData } from "node:worker_threads";
import { serve } from "./serve.ts";
import { watchThreads } from "./watch-threads.ts";

/**
 * The syntax process: it answers requests itself, or threads of it do. Anything that breaks the wasm runtime ends it, and the host starts another.
 * It is started for one kind of request, so that what one breaks is not what the other needs.
 */

/** Its own socket; those of its threads follow. */
const SOCKET = 3;

const [kind, threads] = process.argv.slice(2);
if (!isMainThread) await serve(new Socket({ fd: SOCKET + Number(workerData) }), false);
else {
  const socket = new Socket({ fd: SOCKET });
  if (Number(threads) > 0) watchThreads(socket);
  else {
    socket.on("close", () => process.exit(0));
    await serve(socket, kind === "understand");
  }
}
