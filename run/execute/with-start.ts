import { HarnessFault } from '../../harness/checks/faults.ts';
import { listenError } from '../../harness/start/balancer.ts';
import { killOnRequest } from '../../harness/start/endpoint-kills.ts';
import type { InstanceRole } from '../../harness/start/instance-role.ts';
import { returnsWithinMs } from '../../harness/start/restarts.ts';
import type { StartSettings } from '../../harness/start/start-settings.ts';
import { StartedInstances } from '../../harness/start/started-instances.ts';
import { StartedProcess, type ProcessStart } from '../../harness/start/started-process.ts';
import type { ExpectedListener } from '../../harness/start/wait-until-ready.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { freePort, freePorts } from '../../harness/wire/free-port.ts';
import { Inbox } from '../../harness/wire/inbox.ts';
import { endpointOf, hostAndPort } from '../../harness/wire/host-and-port.ts';
import { Routes } from '../../harness/wire/routes.ts';
import type { Redact } from '../../service/redact.ts';
import { configKeyOf, endpointSurfaces } from '../../specs/surfaces.ts';
import { beforeEnd } from './end-on-signals.ts';
import { describeExits, logsOf, type CompleteReport } from './started-record.ts';

/** Milliseconds for this process to notice that the command ended, after its connections have closed. */
const reportMs = 200;
/** The same for one of several instances: the others accept connections, and a shell may end later than its server. */
const reportOfInstanceMs = 1_500;
/** Where each of several instances listens. */
const instanceHost = '127.0.0.1';

/**
 * Starts the command of a config, waits until its addresses listen, runs with a config in which the port of our service is
 * fixed, and ends all processes of the command, also when the run throws or a signal ends this process. A command that
 * ends is started again. Several instances share the address of the config, at which this process listens.
 *
 * `complete` ends the processes, so that their last lines are available, and adds the command and its output to the
 * report. Throws `HarnessFault` when the endpoint cannot start.
 */
export async function withStart<Result>(
  config: ResolvedConfig & { start: StartSettings },
  { redact, report: reportLine }: { redact: Redact; report: (line: string) => void },
  run: (config: ResolvedConfig, complete: CompleteReport) => Promise<Result>,
): Promise<Result> {
  const note = (text: string) => reportLine(`${text} …`);
  const { start: settings } = config;
  const service = { ...config.service, port: config.service.port || (await freePort(config.service.host)) };
  const { instances } = settings;
  const command = redact(settings.command);
  note(`Starting ${command}${instances > 1 ? `, ${instances} instances` : ''}`);
  // It may call the service while it starts, for example to test its API key.
  const door = await Inbox.open(service, {
    seed: service.apiKey === undefined ? {} : { apiKeys: { [service.apiKey]: 'The endpoint' } },
  });
  let startedInMs;
  const usual = { settings, env: { SVC_BASE_URL: door.service.baseUrl }, redact, ...listenersOf(config) };
  const starts = instances > 1 ? behindOneAddress(usual, await freePorts(instances)) : [usual];
  const { hostname: host, port } = endpointOf(usual.origin);
  const address = { host, port };
  const create = (role: InstanceRole) => new StartedProcess(starts[role.index] ?? usual, role);
  const endpoint = new StartedInstances({ count: instances, address }, create);
  // Registered until all processes are gone: a signal while they end waits for that.
  using _end = beforeEnd(() => endpoint[Symbol.asyncDispose]());
  await using _endpoint = endpoint;
  {
    await using _door = door;
    const listenFault = (error: NodeJS.ErrnoException) => notListening(error, usual.origin, command);
    const taken = instances > 1 ? await listenError(address) : undefined;
    if (taken) throw listenFault(taken);
    const from = performance.now();
    await endpoint.start().catch((error: NodeJS.ErrnoException) => {
      // Something has listened at the address since.
      throw error.syscall === 'listen' ? listenFault(error) : error;
    });
    startedInMs = performance.now() - from;
  }
  note('The endpoint is ready');
  using _kills = killOnRequest(() => endpoint.kill());
  const complete: CompleteReport = async (report) => {
    const { exit, isDown } = endpoint;
    const ended = instances > 1 ? 'An instance of the endpoint' : 'The endpoint';
    if (exit) note(`${ended} ended${describeEnd(exit)}${describeExits(exit, isDown)}`);
    await endpoint[Symbol.asyncDispose]();
    const start = { command, ...(instances > 1 && { instances }), ...exit };
    return { ...report, start, ...logsOf(report, endpoint.all) };
  };
  const restarts = {
    returnMs: returnsWithinMs(startedInMs),
    reportMs: instances > 1 ? reportOfInstanceMs : reportMs,
    instances,
  };
  return await run({ ...config, service, restarts }, complete);
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
      const place = hostAndPort(address);
      return [place, { place, advice: '. Check the port of the address.', route: routes.to(address) }];
    }),
  );
  const [first = ''] = addresses;
  return { listeners: [...listeners.values()], origin: new URL(first).origin.replace(/^ws/, 'http') };
}

/** The fault of this process, which cannot listen at the address of several instances. */
function notListening(error: NodeJS.ErrnoException, origin: string, command: string): HarnessFault {
  const place = hostAndPort(origin);
  if (error.code === 'EADDRINUSE') return new HarnessFault('endpoint-not-started:occupied', { command, place });
  return new HarnessFault('endpoint-not-started:address', { command, place, reason: error.code ?? error.message });
}

/** The start of each of several instances: its own port of 127.0.0.1 is in the variable `PORT`. */
function behindOneAddress(usual: ProcessStart, ports: readonly number[]): ProcessStart[] {
  const { protocol, hostname } = new URL(usual.origin);
  // A certificate may be for the name only.
  const name = hostname === '[::1]' ? instanceHost : hostname;
  return ports.map((port) => ({
    ...usual,
    own: { host: instanceHost, port },
    listeners: [
      {
        place: `${instanceHost}:${port}`,
        advice: ', the port in the variable PORT. Check that it listens there, on 127.0.0.1.',
      },
    ],
    origin: `${protocol}//${name}:${port}`,
  }));
}

function describeEnd({ exitCode, signal }: { exitCode?: number; signal?: string }): string {
  if (exitCode !== undefined) return ` with exit code ${exitCode}`;
  return signal === undefined ? '' : ` by ${signal}`;
}
