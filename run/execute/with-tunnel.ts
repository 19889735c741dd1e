import { HarnessFault } from '../../harness/checks/faults.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { StartedTunnel } from '../../harness/start/started-tunnel.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import type { Redact } from '../../service/redact.ts';

type ServiceSettings = ResolvedConfig['service'];

/** How the callers of {@link withTunnel} are kept informed. */
export interface TunnelContext {
  redact: Redact;
  tell: (line: string) => void;
  /** Called if the tunnel ends by itself. */
  onEnd?: () => void;
}

/** Throws `HarnessFault` `tunnel-failed` if the tunnel has ended. */
export type AssertOpen = () => Promise<void>;

/**
 * Starts the tunnel to the service, waits until its address leads here, runs with this address and a fixed port, and ends
 * all processes of the tunnel, also when the run throws or this process ends. Without a tunnel it only runs.
 *
 * @throws HarnessFault `tunnel-failed`
 */
export async function withTunnel<Result>(
  service: ServiceSettings,
  { redact, tell, onEnd }: TunnelContext,
  run: (service: ServiceSettings, assertOpen: AssertOpen) => Promise<Result>,
): Promise<Result> {
  const { tunnel: command, host, publicUrl } = service;
  if (command === undefined) return await run(service, () => Promise.resolve());
  if (service.port === 0 && !command.includes('{port}')) throw new HarnessFault('tunnel-failed:no-port');
  const port = service.port || (await freePort(host));
  tell(`Starting the tunnel ${redact(command)} …`);
  await using tunnel = new StartedTunnel({ command, host, port, publicUrl, redact });
  const address = await tunnel.address();
  tell(`The tunnel ${address} leads here.`);
  let isOver = false;
  void tunnel.ended.then(() => {
    if (!isOver) onEnd?.();
  });
  try {
    return await run({ ...service, port, publicUrl: address }, () => tunnel.assertOpen());
  } finally {
    isOver = true;
  }
}
