import type { ContainerRuntimeClient, WaitStrategy } from 'testcontainers';
import { EndpointLogs } from '../start/endpoint-logs.ts';
import { formatLatestLines } from '../start/latest-lines.ts';
import type { Listener } from '../start/balancer.ts';
import type { EndpointExit, Exit } from '../start/exit-record.ts';
import type { InstanceRole } from '../start/instance-role.ts';
import { Restarts, type Life } from '../start/restarts.ts';
import type { StartedInstance } from '../start/started-instances.ts';
import { waitUntilReady, waitUntilReadyAgain, type Readiness } from '../start/wait-until-ready.ts';
import { containerReadiness } from './container-readiness.ts';
import type { ContainerRoute } from './container-route.ts';
import { requirePackage } from '../checks/require-packages.ts';
import { reasonOf } from './container-runtime.ts';
import type { ContainerSettings } from './container-settings.ts';
import { HarnessFault } from '../checks/faults.ts';
import { freePort, isOwnAddress } from '../wire/free-port.ts';

const loopback = '127.0.0.1';
/** Milliseconds for the last output of a container to arrive after it exited. */
const lastLinesMs = 2_000;
/** Milliseconds for the runtime to report an exit, on a busy machine. */
const exitReportMs = 5_000;

/** Parameters of a container start. */
export interface ContainerStart {
  image: string;
  settings: ContainerSettings;
  /** Additional variables; those of the settings take precedence. */
  env: Readonly<Record<string, string>>;
  route: ContainerRoute;
  /** Whether it is reached over TLS. */
  isSafe: boolean;
  /** Redacts secrets in its output. */
  redact: (text: string) => string;
}

/** A container under test. Disposing removes it at any stage, and may be repeated. */
export class TestedContainer implements StartedInstance {
  readonly logs: EndpointLogs;
  readonly #runtime: ContainerRuntimeClient;
  readonly #start: ContainerStart;
  readonly #port: number;
  readonly #stopped = new AbortController();
  readonly #firstExit = Promise.withResolvers<Exit>();
  readonly #restarts: Restarts;
  #id: string | undefined;
  #leftBehind: string | undefined;
  #starting: Promise<unknown> = Promise.resolve();
  #logsEnded: Promise<unknown> = Promise.resolve();
  #down: Promise<void> | undefined;
  /** Its exit. Renewed before each start, so that none is missed. */
  #ended: Promise<Exit> = never;
  #hasEnded = false;
  #listener: Listener | undefined;
  #aheadMs = 0;
  #hasStarted = false;
  /** Whether the container runs on this machine. */
  #isHere = false;
  #isFollowed = false;

  /** @param port the port on which it listens in the container */
  constructor(runtime: ContainerRuntimeClient, start: ContainerStart, port: number, role: InstanceRole) {
    this.#runtime = runtime;
    this.#start = start;
    this.#port = port;
    this.logs = new EndpointLogs(start.redact, start.settings.wait.log);
    this.#restarts = new Restarts(() => this.#startAgain(), this.#stopped.signal, role);
  }

  get listener(): Listener | undefined {
    return this.#listener;
  }

  /** How the container exited on its own during the run, if it or another instance did. */
  get exit(): EndpointExit | undefined {
    return this.#restarts.latest;
  }

  /** Whether it is started again when it ends: on another machine it would get another port. */
  get isRestarted(): boolean {
    return this.#isHere;
  }

  /** Whether it could not be started again. */
  get isDown(): boolean {
    return this.#restarts.isDown;
  }

  /** Waits until the runtime reports its exit, a few seconds at the most: its listeners may close before. */
  async waitForReportedExit(): Promise<void> {
    if (this.exit === undefined) await within(this.#ended, exitReportMs);
  }

  /** Why it could not be removed, with the command to remove it; the verdicts remain valid. */
  get leftBehind(): string | undefined {
    return this.#leftBehind && `${this.#leftBehind}; docker rm -f ${this.#id ?? ''}`;
  }

  /** Milliseconds by which its clock is ahead of the local one. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /**
   * Starts it and waits until it is ready; from then on it is started again whenever it exits, if it runs on this
   * machine. Throws {@link HarnessFault} `container-not-started` and `container-not-ready`, with its latest output. Does
   * not remove the container.
   */
  async start(): Promise<void> {
    const { image, settings } = this.#start;
    const [started] = await Promise.all([this.#whileItRuns(this.#run()), this.#compareClocks()]);
    const host = this.#isHere ? loopback : started.getHost();
    this.#listener = { host, port: started.getMappedPort(this.#port) };
    const missing = await this.#whileItRuns(waitUntilReady(this.#readiness, this.#stopped.signal));
    if (missing === undefined) {
      void this.#restarts.follow(this.#life());
      return;
    }
    throw new HarnessFault('container-not-ready:timeout', {
      image,
      seconds: settings.wait.timeoutSeconds,
      missing,
      output: await this.#latestLines(),
    });
  }

  async #run() {
    const { image, settings, env, route } = this.#start;
    const { GenericContainer } = await requirePackage('testcontainers');
    this.#isHere = await isOwnAddress(this.#runtime.info.containerRuntime.host);
    const created = (id: string) => this.#created(id);
    const starting = () => {
      this.#hasStarted = true;
      this.#follow();
    };
    class Tested extends GenericContainer {
      override async containerCreated(id: string): Promise<void> {
        created(id);
      }
      override async containerStarting(): Promise<void> {
        starting();
      }
      /** Binds to loopback only, because the container contains the secrets of the test. */
      listenHereOnly(port: number, hostPort: number): this {
        this.hostConfig.PortBindings = { [`${port}/tcp`]: [{ HostIp: loopback, HostPort: String(hostPort) }] };
        return this;
      }
    }
    const container = new Tested(image)
      .withExposedPorts(this.#port)
      .withEnvironment({ ...env, ...settings.env })
      .withExtraHosts(route.extraHosts)
      .withWaitStrategy(noWait);
    // A port that the runtime chooses would be another one after a restart.
    if (this.#isHere) container.listenHereOnly(this.#port, await freePort(loopback));
    if (settings.network !== undefined) container.withNetworkMode(settings.network);
    const start = container.start();
    this.#starting = start.catch(() => undefined);
    try {
      return await start;
    } catch (error) {
      this.#stopped.signal.throwIfAborted();
      throw new HarnessFault(
        'container-not-started',
        { image, reason: reasonOf(error), hint: ryukHint(reasonOf(error)), output: await this.#latestLines() },
        { cause: error },
      );
    }
  }

  #created(id: string): void {
    this.#id = id;
    this.#stopped.signal.throwIfAborted();
    this.#awaitExit(id);
  }

  /** Registered before it starts, so that no exit is missed. */
  #awaitExit(id: string): void {
    const waited = this.#runtime.container.getById(id).wait({ condition: 'next-exit' }) as Promise<{
      StatusCode: number;
    }>;
    this.#hasEnded = false;
    this.#ended = waited.then(
      ({ StatusCode }) => {
        this.#hasStarted = true;
        this.#hasEnded = true;
        if (!this.#down) this.#firstExit.resolve({ code: StatusCode });
        return { code: StatusCode };
      },
      // Removed while we waited.
      async () => await never,
    );
  }

  get #readiness(): Readiness {
    const { settings, isSafe } = this.#start;
    const { host = '', port = 0 } = this.#listener ?? {};
    return containerReadiness({
      place: `${host}:${port}`,
      port: this.#port,
      isSafe,
      wait: settings.wait,
      logs: this.logs,
    });
  }

  #life(): Life {
    return { ended: this.#ended, listens: async (signal) => await waitUntilReadyAgain(this.#readiness, signal) };
  }

  /** @throws Error when the container cannot be reached at the same place again */
  async #startAgain(): Promise<Life> {
    if (this.#id === undefined || !this.#isHere) throw new RangeError('expected a container on this machine');
    const container = this.#runtime.container.getById(this.#id);
    await within(this.#logsEnded, lastLinesMs);
    this.logs.awaitAgain();
    this.#awaitExit(this.#id);
    await container.start();
    const { State } = await container.inspect();
    this.#isFollowed = false;
    this.#follow(Date.parse(State.StartedAt));
    return this.#life();
  }

  /** Kills it at once; it is started again. */
  async kill(): Promise<void> {
    if (this.#id === undefined || this.#hasEnded) return;
    this.#restarts.expectKill(true);
    await this.#runtime.container
      .getById(this.#id)
      .kill()
      // It has just ended by itself.
      .catch(() => this.#restarts.expectKill(false));
  }

  /** Waits for a promise, or throws if the container exits first. */
  async #whileItRuns<T>(waited: Promise<T>): Promise<T> {
    waited.catch(() => undefined);
    const first = await Promise.race([waited.then((value) => ({ value })), this.#firstExit.promise]);
    if ('value' in first) return first.value;
    throw new HarnessFault('container-not-ready:exited', {
      image: this.#start.image,
      exitCode: first.code ?? 0,
      output: await this.#latestLines(),
    });
  }

  /** @param since the start whose output is followed, by the clock of the container */
  #follow(since = 0): void {
    if (this.#id === undefined || this.#isFollowed) return;
    this.#isFollowed = true;
    const { dockerode } = this.#runtime.container;
    const { stdout, stderr } = this.logs;
    const follow = async () => {
      const stream = await dockerode
        .getContainer(this.#id ?? '')
        .logs({ follow: true, stdout: true, stderr: true, timestamps: true, since: since / 1000 });
      const ended = new Promise<void>((resolve) => {
        for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve());
      });
      dockerode.modem.demuxStream(stream, stdout, stderr);
      await ended;
      this.logs.endLines();
    };
    // Some runtimes keep no logs; the run continues without them.
    this.#logsEnded = follow().catch(() => undefined);
  }

  async #latestLines(): Promise<string> {
    this.#follow();
    // Its latest output may still be in transit.
    await within(this.#logsEnded, this.#hasEnded ? lastLinesMs : 0);
    return formatLatestLines(this.logs, this.#hasStarted);
  }

  async #compareClocks(): Promise<void> {
    const asked = Date.now();
    const info = (await this.#runtime.container.dockerode.info().catch(() => ({}))) as { SystemTime?: string };
    const answered = Date.now();
    const theirs = Date.parse(info.SystemTime ?? '');
    // A difference below the round-trip time is not significant.
    const aheadMs = theirs - (asked + answered) / 2;
    if (Math.abs(aheadMs) > answered - asked) this.#aheadMs = Math.round(aheadMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#down ??= this.#takeDown());
  }

  async #takeDown(): Promise<void> {
    this.#stopped.abort();
    // A container that is being created has no id yet.
    if (this.#id === undefined) await this.#starting;
    if (this.#id === undefined) return;
    try {
      await this.#runtime.container.getById(this.#id).remove({ force: true, v: true });
    } catch (error) {
      // 404: already removed. 409: being removed.
      const { statusCode } = error as { statusCode?: number };
      if (statusCode !== 404 && statusCode !== 409) this.#leftBehind = reasonOf(error);
    }
    await within(this.#logsEnded, lastLinesMs);
  }
}

const never = Promise.withResolvers<never>().promise;

/** We wait ourselves: the strategies of the library detect neither an exit nor the output. */
const noWait: WaitStrategy = {
  waitUntilReady: async () => undefined,
  withStartupTimeout: () => noWait,
  isStartupTimeoutSet: () => false,
  getStartupTimeout: () => 0,
};

function ryukHint(reason: string): string {
  return /testcontainers\/ryuk/.test(reason)
    ? ' Ryuk removes containers when this process is killed; TESTCONTAINERS_RYUK_DISABLED=true disables it.'
    : '';
}

async function within(what: Promise<unknown>, ms: number): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const timeout = setTimeout(timer.resolve, ms);
  await Promise.race([what, timer.promise]);
  clearTimeout(timeout);
}
