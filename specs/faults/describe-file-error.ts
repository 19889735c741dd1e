/** The reasons that users meet most, by system error code. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  ENOSPC: 'the disk is full',
};

/** The reason why a file could not be read or written, for a sentence; the error's own message for rare errors. */
export function describeFileError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
