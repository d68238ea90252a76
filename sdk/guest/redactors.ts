import { kindOf } from "./checks.ts";
import { fail } from "./failures.ts";
import type { LayerHandler } from "./layers.ts";
import { isObject, settle } from "./primordials.ts";

/** A redactor as a layer on `{ texts }`: what the layers below made of the texts goes through it, one after another. */
export function redactorLayer(redact: (text: string) => unknown): LayerHandler {
  return (prev, value) =>
    new Promise((ok, no) => {
      settle(
        prev(value),
        (below) => {
          const texts = (below as { texts: string[] }).texts;
          const made: string[] = [];
          const take = (index: number, answer: unknown): void => {
            if (typeof answer !== "string") throw fail("wrong_answer", `${kindOf(answer)} of a redactor`);
            made[index] = answer;
          };
          // A loop, since there may be more texts than calls can be nested.
          const from = (start: number): void => {
            for (let i = start; i < texts.length; i++) {
              const answer = redact(texts[i]!);
              if (isObject(answer)) {
                const next = (late: unknown): void => {
                  take(i, late);
                  from(i + 1);
                };
                settle(answer, guarded(next, no), no);
                return;
              }
              take(i, answer);
            }
            ok({ texts: made });
          };
          guarded(from, no)(0);
        },
        no,
      );
    });
}

function guarded<T>(run: (value: T) => void, no: (error: unknown) => void): (value: unknown) => void {
  return (value) => {
    try {
      run(value as T);
    } catch (error) {
      no(error);
    }
  };
}
