import { HarnessFault } from '../harness/checks/faults.ts';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use. Choose another one, or 0 for any free one',
  EACCES: 'this user is not allowed to use the port. Choose one above 1023',
  EADDRNOTAVAIL: 'this machine does not have this address',
  ENOTFOUND: 'the host is unknown',
};

/** Opens a service. Throws {@link HarnessFault} for an address on which it cannot listen. */
export async function openService<Opened>(
  where: { host: string; port: number },
  open: () => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    throw new HarnessFault('service-not-started:address', { ...where, reason }, { cause: error });
  }
}
