/** The message of a fault: a sentence, or a function of the arguments that a throw site must give. */
export type FaultMessage = string | ((args: never) => string);

/** One code of the table: its messages, its exit code and its documentation. */
export interface FaultRow {
  /** 2: the user changes the command, the config or a file. 3: something could not be judged. */
  readonly exitCode: 2 | 3;
  /** The meaning of the code, for docs/reference/faults.md and `svc-conform explain`. */
  readonly meaning: string;
  /** The fix. */
  readonly remediation: string;
  /** One message, or several by the situation in which the code occurs. */
  readonly message: FaultMessage | Readonly<Record<string, FaultMessage>>;
}

/** Prefixes a suggestion or another optional sentence with a space. */
export function sentence(text: string | undefined): string {
  return text === undefined || text === '' ? '' : ` ${text.trim()}`;
}
