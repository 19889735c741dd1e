/** What was asked for cannot be done as asked: flags, config or selection. Ends the command with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
