/**
 * Describes the error of a connection, with its code. OpenSSL's message contains addresses in memory and paths of its
 * build, which differ in each run; its reason does not.
 */
export function describeError(error: Error): string {
  const { code = '', library, reason } = error as NodeJS.ErrnoException & { library?: string; reason?: string };
  const text = library === 'SSL routines' && reason !== undefined ? `TLS: ${reason}` : error.message;
  return code === '' ? text : `${text} (${code})`;
}
