/** One of several values, as the user sees it. */
export interface Choice<Value extends string> {
  value: Value;
  label: string;
  hint?: string;
}

/** Asks the user. A cancelled question rejects with {@link PromptCancelled}. */
export interface Prompter {
  /** Any of the choices, at least one. */
  several: <Value extends string>(message: string, choices: readonly Choice<Value>[]) => Promise<Value[]>;
  one: <Value extends string>(message: string, choices: readonly Choice<Value>[], initial: Value) => Promise<Value>;
  /** `check` returns the problem of an answer; `undefined` if there is none. */
  text: (
    message: string,
    options?: { initial?: string; example?: string; check?: (answer: string) => string | undefined },
  ) => Promise<string>;
}

/** The user cancelled the questions. */
export class PromptCancelled extends Error {
  override readonly name = 'PromptCancelled';

  constructor() {
    super('Nothing was written.');
  }
}
