import type { Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { createChannel } from "../../frames/channel.ts";

/**
 * Starts the first thread at once, and others as the host asks for them. Parses nothing itself: whatever a thread is stuck in, the process hears
 * that the host is gone, and ends.
 */
export function watchThreads(socket: Socket): void {
  const die = (): void => void process.kill(process.pid, "SIGKILL");
  const start = (thread: number): void => {
    new Worker(new URL(import.meta.url), { workerData: thread }).on("error", die).on("exit", die);
  };
  socket.on("close", die);
  createChannel(socket, ({ head }) => start((JSON.parse(head) as { thread: number }).thread), die);
  start(1);
}
