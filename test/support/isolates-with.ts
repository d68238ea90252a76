import type { Isolates } from "../../core/isolate/isolates.ts";

const unused = (): never => {
  throw new Error("The test does not expect this.");
};

/** Isolates whose answers the test gives; everything else of them throws. */
export function isolatesWith(answers: Partial<Pick<Isolates, "chain" | "invoke">>): Isolates {
  return {
    chain: unused,
    invoke: unused,
    program: unused,
    add: unused,
    remove: unused,
    warm: unused,
    describe: unused,
    enable: unused,
    disable: unused,
    disabled: unused,
    runners: unused,
    sent: unused,
    close: unused,
    ...answers,
  };
}
