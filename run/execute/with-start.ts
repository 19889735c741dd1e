import { killOnRequest } from '../../harness/start/endpoint-kills.ts';
import { returnsWithinMs } from '../../harness/start/restarts.ts';
import type { StartSettings } from '../../harness/start/start-settings.ts';
import { StartedProcess } from '../../harness/start/started-process.ts';
import type { ExpectedListener } from '../../harness/start/wait-until-ready.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { Inbox } from '../../harness/wire/inbox.ts';
import { placeOf } from '../../harness/wire/place-of.ts';
import { Routes } from '../../harness/wire/routes.ts';
import type { Redact } from '../../service/redact.ts';
import { configKeyOf, endpointSurfaces } from '../../specs/surfaces.ts';
import { beforeEnd } from './end-on-signals.ts';
import { describeExits, logsOf, type CompleteReport } from './started-record.ts';

/** Milliseconds for this process to notice that the command ended. */
const reportMs = 200;

/**
 * Starts the command of a config, waits until its addresses listen, runs with a config in which the port of our service is
 * fixed, and ends all processes of the command, also when the run throws or a signal ends this process. A command that
 * ends is started again.
 *
 * `complete` ends the processes, so that their last lines are available, and adds the command and its output to the
 * report. Throws `HarnessFault` when the endpoint cannot start.
 */
export async function withStart<Result>(
  config: ResolvedConfig & { start: StartSettings },
  { redact, tell: tellLine }: { redact: Redact; tell: (line: string) => void },
  run: (config: ResolvedConfig, complete: CompleteReport) => Promise<Result>,
): Promise<Result> {
  const tell = (text: string) => tellLine(`${text} …`);
  const { start: settings } = config;
  const service = { ...config.service, port: config.service.port || (await freePort(config.service.host)) };
  const { listeners, origin } = listenersOf(config);
  const command = redact(settings.command);
  tell(`Starting ${command}`);
  // It may call the service while it starts, for example to test its API key.
  const door = await Inbox.open(service, {
    seed: service.apiKey === undefined ? {} : { apiKeys: { [service.apiKey]: 'The endpoint' } },
  });
  let startedInMs;
  const env = { SVC_BASE_URL: door.service.baseUrl };
  const endpoint = new StartedProcess({ settings, env, listeners, origin, redact });
  // Registered until all processes are gone: a signal while they end waits for that.
  using _end = beforeEnd(() => endpoint[Symbol.asyncDispose]());
  await using _endpoint = endpoint;
  {
    await using _door = door;
    const from = performance.now();
    await endpoint.start();
    startedInMs = performance.now() - from;
  }
  tell('The endpoint is ready');
  using _kills = killOnRequest(() => endpoint.kill());
  const complete: CompleteReport = async (report) => {
    const { exit, isDown } = endpoint;
    if (exit) tell(`The endpoint ended${describeEnd(exit)}${describeExits(exit, isDown)}`);
    await endpoint[Symbol.asyncDispose]();
    return { ...report, start: { command, ...exit }, ...logsOf(report, endpoint.logs) };
  };
  return await run({ ...config, service, restarts: { returnMs: returnsWithinMs(startedInMs), reportMs } }, complete);
}

/** The places at which the endpoints of a config listen, and the origin of its first address. */
function listenersOf(config: ResolvedConfig): { listeners: ExpectedListener[]; origin: string } {
  const routes = Routes.of(config);
  const addresses = endpointSurfaces.flatMap((surface) => {
    const { [configKeyOf(surface)]: endpoint } = config;
    return endpoint ? [endpoint.url] : [];
  });
  const listeners = new Map(
    addresses.map((address) => {
      const place = placeOf(address);
      return [place, { place, advice: '. Check the port of the address.', route: routes.to(address) }];
    }),
  );
  const [first = ''] = addresses;
  return { listeners: [...listeners.values()], origin: new URL(first).origin.replace(/^ws/, 'http') };
}

function describeEnd({ exitCode, signal }: { exitCode?: number; signal?: string }): string {
  if (exitCode !== undefined) return ` with exit code ${exitCode}`;
  return signal === undefined ? '' : ` by ${signal}`;
}
