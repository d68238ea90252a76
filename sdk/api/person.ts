/** What a person is asked. Text with characters that steer a terminal is shown with them escaped. */
export type PersonQuestion = {
  /** 2,000 characters at most. */
  question: string;
  /** What there is to choose from, 20 at most; without any the person types an answer. Labels are one line, each its own. */
  options?: readonly { label: string; description?: string }[];
  /** More than one may be chosen. */
  multiple?: boolean;
  /** Whether the person may type an answer beside the options. They may unless said. */
  freeText?: boolean;
};

/** The labels that were chosen, and what was typed. */
export type PersonAnswer = { chosen: string[]; text?: string };
