import { HarnessFault } from '../../harness/checks/faults.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { StartedTunnel } from '../../harness/start/started-tunnel.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import type { Redact } from '../../service/redact.ts';
import { areCalling } from '../../specs/surfaces.ts';
import { beforeEnd } from './end-on-signals.ts';

type ServiceSettings = ResolvedConfig['service'];

/** How the callers of {@link withTunnel} are kept informed. */
export interface TunnelContext {
  redact: Redact;
  report: (line: string) => void;
  /** Called if the tunnel ends by itself. */
  onEnd?: () => void;
  /** Aborts the wait for the tunnel. With it the caller handles signals; otherwise they end the tunnel and this process. */
  signal?: AbortSignal;
}

/** Throws `HarnessFault` `tunnel-ended` if requests do not arrive through the tunnel any more. The port must be free. */
export type AssertOpen = () => Promise<void>;

/** The settings without a tunnel through which none of these surfaces would send anything. */
export function withUsedTunnel({ tunnel, ...service }: ServiceSettings, surfaces: readonly string[]): ServiceSettings {
  return tunnel === undefined || !areCalling(surfaces) ? service : { ...service, tunnel };
}

/**
 * Starts the tunnel to the service, waits until its address leads here (unless `publicUrlCheck` is false), runs with this
 * address and a fixed port, and ends all processes of the tunnel, also when the run throws or this process ends. Without a
 * tunnel it only runs.
 *
 * @throws HarnessFault `tunnel-failed`, and an `AbortError` once the signal aborts before the run
 */
export async function withTunnel<Result>(
  service: ServiceSettings,
  { redact, report, onEnd, signal }: TunnelContext,
  run: (service: ServiceSettings, assertOpen: AssertOpen) => Promise<Result>,
): Promise<Result> {
  const { tunnel: command, host, publicUrl, publicUrlCheck = true } = service;
  if (command === undefined) return await run(service, () => Promise.resolve());
  if (service.port === 0 && !command.includes('{port}')) throw new HarnessFault('tunnel-failed:no-port');
  const port = service.port || (await freePort(host));
  report(`Starting the tunnel ${redact(command)} …`);
  const tunnel = await startTunnel({ command, host, port, publicUrl, redact });
  // Registered until all processes are gone: a signal while they end waits for that.
  using _end = signal ? undefined : beforeEnd(() => tunnel[Symbol.asyncDispose]());
  await using _tunnel = tunnel;
  const isKnown = publicUrl !== undefined && !publicUrlCheck;
  const address = isKnown ? publicUrl : await tunnel.address(signal);
  report(isKnown ? 'The tunnel is not tested (service.publicUrlCheck is false).' : `The tunnel ${address} leads here.`);
  let isOver = false;
  void tunnel.ended.then(() => {
    if (!isOver) onEnd?.();
  });
  try {
    // The address has been tested.
    return await run({ ...service, port, publicUrl: address, publicUrlCheck: false }, () => tunnel.assertOpen());
  } finally {
    isOver = true;
  }
}

/** Loaded only then: most runs have no tunnel. */
async function startTunnel(options: ConstructorParameters<typeof StartedTunnel>[0]): Promise<StartedTunnel> {
  const tunnels = await import('../../harness/start/started-tunnel.ts');
  return new tunnels.StartedTunnel(options);
}
