import { Input, isKeyRelease, Key, matchesKey } from "@earendil-works/pi-tui";
import type { PromptAnswer, PromptRequest } from "../../../permission/permission.ts";
import type { Look } from "../view/look.ts";
import { screenLine } from "../view/screen-text.ts";
import { wrapped } from "../view/wrapped.ts";
import { createChoices, type Panel, type PanelChoice } from "./panel.ts";
import { describeRequest, ruleLines } from "./permission-text.ts";
import { createScrolled } from "./scrolled.ts";

export type PermissionPanelOptions = {
  request: PromptRequest;
  /** The subagent that wants it. */
  child(): string | null;
  /** Where rules are kept; a project without a place for them has none. */
  files: { project: string | null; user: string };
  /** Whether the project is trusted: otherwise it takes only rules that deny. */
  isTrusted: boolean;
  /** How many more wait to be asked about. */
  waiting(): number;
  answer(answer: PromptAnswer): void;
};

type First = "once" | "session" | "always" | "deny" | "guide" | "never";
type Where = "project" | "user" | "back";
type Stage = { is: "first" } | { is: "where"; effect: "allow" | "deny" } | { is: "guide" };

/** Asks about a tool call. Only a choice that is taken answers; Escape denies. */
export function createPermissionPanel({ request, child, files, isTrusted, waiting, answer }: PermissionPanelOptions): Panel {
  const scrolled = createScrolled();
  const first = createChoices(choicesOf(request));
  const input = new Input({ prompt: "> " });
  input.focused = true;
  input.onSubmit = (text) => answer({ decision: "deny", ...(text.trim() === "" ? {} : { guidance: text.trim() }) });
  let where = createChoices<Where>([]);
  let stage: Stage = { is: "first" };

  /** Made once for each width: a file that is to be written may be large. */
  let last: { by: string; text: ReturnType<typeof describeRequest> } | undefined;
  const described = (look: Look) => {
    const about = { child: child(), waiting: waiting() };
    const by = JSON.stringify([look.width, about]);
    if (last?.by !== by) last = { by, text: describeRequest(request, about, look) };
    return last.text;
  };

  const take = (choice: First | undefined) => {
    switch (choice) {
      case "once":
        return answer({ decision: "allow" });
      case "session":
        return answer({ decision: "allow", remember: "session" });
      case "deny":
        return answer({ decision: "deny" });
      case "guide":
        stage = { is: "guide" };
        return;
      case "always":
      case "never": {
        stage = { is: "where", effect: choice === "always" ? "allow" : "deny" };
        where = createChoices<Where>([
          ...(files.project === null || (choice === "always" && !isTrusted)
            ? []
            : [{ value: "project", label: `In this project: ${screenLine(files.project)}` } as const]),
          { value: "user", label: `Everywhere, for you: ${screenLine(files.user)}` },
          { value: "back", label: "Back, and keep nothing" },
        ]);
      }
    }
  };

  return {
    lines(look, rows) {
      const { paint, width } = look;
      const text = described(look);
      const below = belowOf();
      const room = rows - below.length - text.head.length;
      return [...text.head, ...scrolled.lines(text.body, room, look), ...below];

      function belowOf(): string[] {
        if (stage.is === "guide") {
          return [...wrapped("It is denied. What should the model do instead? (Enter sends it, Escape goes back)", width), ...input.render(width)];
        }
        if (stage.is === "where") {
          const rules = stage.effect === "allow" ? request.suggestions : request.denials;
          return [
            ...wrapped("This is kept, and counts from now on:", width),
            ...ruleLines(rules, width).map((line) => paint("bold", line)),
            "Where?",
            ...where.lines(look),
            ...wrapped("Escape goes back.", width).map((line) => paint("dim", line)),
          ];
        }
        return [...first.lines(look), ...wrapped("A number, or the arrows and Enter. Escape denies.", width).map((line) => paint("dim", line))];
      }
    },
    key(data) {
      if (isKeyRelease(data)) return true;
      if (stage.is === "guide") {
        if (matchesKey(data, Key.escape)) stage = { is: "first" };
        else input.handleInput(data);
        return true;
      }
      if (scrolled.key(data)) return true;
      if (matchesKey(data, Key.escape)) {
        if (stage.is === "first") answer({ decision: "deny" });
        else stage = { is: "first" };
        return true;
      }
      if (stage.is === "first") {
        const isMeant = first.means(data);
        take(first.key(data));
        return isMeant;
      }
      const isMeant = where.means(data);
      const place = where.key(data);
      if (place === "back") stage = { is: "first" };
      else if (place !== undefined) answer({ decision: stage.effect, remember: place });
      return isMeant;
    },
  };
}

function choicesOf({ suggestions, denials }: PromptRequest): PanelChoice<First>[] {
  const keeps = suggestions.some(({ effect }) => effect === "allow");
  return [
    { value: "once", label: "Allow once" },
    ...(keeps
      ? [
          { value: "session", label: "Allow for this session" } as const,
          { value: "always", label: "Allow always, once you saw what is kept" } as const,
        ]
      : []),
    { value: "deny", label: "Deny" },
    { value: "guide", label: "Deny, and say what to do instead" },
    ...(denials.length > 0 ? [{ value: "never", label: "Deny always, once you saw what is kept" } as const] : []),
  ];
}
