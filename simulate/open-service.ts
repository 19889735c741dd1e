import { UsageError } from '../run/usage-error.ts';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken. Choose another one, or 0 for any free one',
  EACCES: 'this user may not use the port. Choose one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no machine is called that',
};

/** Opens a service. Throws {@link UsageError} for an address on which it cannot listen. */
export async function openService<Opened>(
  where: { host: string; port: number },
  open: () => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    throw new UsageError(
      `The service cannot listen on ${where.host}:${where.port}: ${reason}. It is set by --host and --port of serve, and service.host and service.port of the config.`,
      { cause: error },
    );
  }
}
