/** Exit code of a run in which something could not be judged. */
export const incompleteExitCode = 3;

/** Exit code of a finished run: 0 conformant (with or without warnings), 1 non-conformant, 3 incomplete. */
export type RunExitCode = 0 | 1 | typeof incompleteExitCode;
