import { TestedContainer } from '../../harness/container/tested-container.ts';
import type { Listener } from '../../harness/start/balancer.ts';
import type { EndpointExit } from '../../harness/start/exit-record.ts';
import { routeFromContainer } from '../../harness/container/container-route.ts';
import { containerRuntime, findImage, type KnownImage } from '../../harness/container/container-runtime.ts';
import type { ContainerSettings } from '../../harness/container/container-settings.ts';
import { assertReachedSafely, isContainerSafe, placedConfig } from '../../harness/container/container-address.ts';
import { killOnRequest } from '../../harness/start/endpoint-kills.ts';
import { returnsWithinMs } from '../../harness/start/restarts.ts';
import { StartedInstances } from '../../harness/start/started-instances.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { Inbox } from '../../harness/wire/inbox.ts';
import type { Redact } from '../../service/redact.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { Report } from '../../specs/generated/types.ts';
import { beforeEnd } from './end-on-signals.ts';
import { describeExits, logsOf, type CompleteReport } from './started-record.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** Milliseconds for the runtime to report that the container exited, after it closed its connections. */
const reportMs = 1_500;

/**
 * Starts the image of a config, waits until it is ready, runs with a config that has the addresses of the container and
 * of our service, and stops the container, also when the run throws or a signal ends the process. A container that exits
 * is started again. Several instances share one address, at which this process listens.
 *
 * `complete` stops the container, so that its last lines are available, and adds image and log lines to the report.
 * Throws {@link HarnessFault} for a config that lacks the image or the port, `HarnessFault` when the container cannot start.
 */
export async function withContainer<Result>(
  config: ResolvedConfig & { container: ContainerSettings },
  { redact, report: reportLine }: { redact: Redact; report: (line: string) => void },
  run: (config: ResolvedConfig, complete: CompleteReport) => Promise<Result>,
): Promise<Result> {
  const note = (text: string) => reportLine(`${text} …`);
  const { container: settings } = config;
  const { image, instances } = settings;
  if (image === undefined) {
    throw new HarnessFault('container-incomplete:image');
  }
  const runtime = await containerRuntime();
  assertReachedSafely(config, runtime.info.containerRuntime.host);
  note(`Starting ${image}${instances > 1 ? `, ${instances} instances` : ''}`);
  const known = await findImage(runtime, image);
  const port = portOf(image, settings, known);
  const route = await routeFromContainer(runtime);
  const reachable = await reachableConfig(config, route);
  const { service } = reachable;
  const env = { SVC_BASE_URL: service.publicUrl };
  const start = { image, settings, env, route, isSafe: isContainerSafe(config), redact };
  const address = { host: '127.0.0.1', port: await freePort() };
  const endpoint = new StartedInstances(
    { count: instances, address },
    (role) => new TestedContainer(runtime, start, port, role),
  );
  const from = performance.now();
  // Registered until the containers are gone: a signal while they stop waits for that.
  using _end = beforeEnd(() => endpoint[Symbol.asyncDispose]());
  using _told = {
    [Symbol.dispose]: () => {
      for (const { leftBehind } of endpoint.all) {
        if (leftBehind !== undefined) note(`The container could not be removed: ${leftBehind}`);
      }
    },
  };
  await using _endpoint = endpoint;
  {
    // An image may call the service while it starts, for example to test its API key.
    await using _door = await Inbox.open(service, {
      seed: service.apiKey === undefined ? {} : { apiKeys: { [service.apiKey]: 'The endpoint' } },
    });
    await endpoint.start();
  }
  const place = formatPlace(endpoint.listener);
  note(`The container is ready at ${place}`);
  const isRestarted = endpoint.all.every((container) => container.isRestarted);
  using _kills = isRestarted ? killOnRequest(() => endpoint.kill()) : undefined;
  const complete: CompleteReport = async (report) => {
    if (report.summary.blocked > 0) await Promise.race(endpoint.all.map((one) => one.waitForReportedExit()));
    const { exit, isDown } = endpoint;
    if (exit)
      note(`${instances > 1 ? 'A' : 'The'} container exited with code ${exit.exitCode}${describeExits(exit, isDown)}`);
    await endpoint[Symbol.asyncDispose]();
    return { ...report, container: describe({ image, known, instances, exit }), ...logsOf(report, endpoint.all) };
  };
  const placed = placedConfig(reachable, place);
  const restarts = { returnMs: returnsWithinMs(performance.now() - from), reportMs, instances };
  return await run({ ...placed, ...(isRestarted && { restarts }) }, complete);
}

/** Sets the address at which the container reaches our service, unless the config has one. */
async function reachableConfig(config: ResolvedConfig, { listen, host }: { listen: string; host: string }) {
  const { service } = config;
  if (service.publicUrl !== undefined) return { ...config, service: { ...service, publicUrl: service.publicUrl } };
  const port = service.port === 0 ? await freePort(listen) : service.port;
  return { ...config, service: { ...service, host: listen, port, publicUrl: `http://${host}:${port}` } };
}

function portOf(image: string, { port }: ContainerSettings, { ports }: KnownImage): number {
  const [only, ...others] = ports;
  if (port !== undefined) return port;
  if (only !== undefined && others.length === 0) return only;
  throw new HarnessFault('container-incomplete:port', { image, ports });
}

interface ContainerOutcome {
  image: string;
  known: KnownImage;
  instances: number;
  exit: EndpointExit | undefined;
}

function describe({ image, known, instances, exit }: ContainerOutcome): NonNullable<Report['container']> {
  const { exits, exitCode } = exit ?? {};
  return {
    image,
    digest: known.digest,
    digestOf: known.digestOf,
    ...(instances > 1 && { instances }),
    ...(exits !== undefined && { exits }),
    ...(exitCode !== undefined && { exitCode }),
  };
}

/** Host and port. */
function formatPlace({ host, port }: Listener): string {
  return `${host}:${port}`;
}
