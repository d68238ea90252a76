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
          const step = (index: number): void => {
            if (index >= texts.length) {
              ok({ texts: made });
              return;
            }
            const next = (answer: unknown): void => {
              if (typeof answer !== "string") {
                no(fail("wrong_answer", `${kindOf(answer)} of a redactor`));
                return;
              }
              made[index] = answer;
              step(index + 1);
            };
            const answer = redact(texts[index]!);
            if (isObject(answer)) settle(answer, guarded(next, no), no);
            else next(answer);
          };
          guarded(step, no)(0);
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
