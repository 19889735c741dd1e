/** Wrong usage: flags, config or selection are invalid. Ends the command with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
