import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * When a process started, as its system tells it, so that a number used again is not mistaken for it; undefined where it has ended.
 * Empty where the system does not say.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform === "linux") return linuxStart(pid);
  return process.platform === "win32" ? signalled(pid) : psStart(pid);
}

/** Where the number of a process means something: the machine, and on Linux its space of process numbers, as of a container. */
export function processPlace(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** One that only waits to be collected has ended. */
function linuxStart(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name stands in parentheses and may hold any character.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : `${fields[19]} ${bootId()}`;
  } catch {
    return existsSync("/proc/self/stat") ? undefined : signalled(pid);
  }
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return "";
  }
}

function psStart(pid: number): string | undefined {
  try {
    const env = { ...process.env, LC_ALL: "C" };
    const told = execFileSync("ps", ["-o", "stat=", "-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [state = "", ...start] = told.trim().split(/\s+/);
    return state === "" || state.startsWith("Z") ? undefined : start.join(" ");
  } catch {
    return undefined;
  }
}

function signalled(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return "";
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM" ? "" : undefined;
  }
}
