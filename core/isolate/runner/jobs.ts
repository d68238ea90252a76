/** Work of the runner, one piece after another: a turn is never entered from within another. */
export type Jobs = { run(job: () => void): void };

export function createJobs(): Jobs {
  const queue: (() => void)[] = [];
  let working = false;
  return {
    run(job) {
      queue.push(job);
      if (working) return;
      working = true;
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) next();
      } finally {
        working = false;
      }
    },
  };
}
