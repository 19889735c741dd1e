import type { ContainerRuntimeClient, WaitStrategy } from 'testcontainers';
import { ContainerLogs } from './container-logs.ts';
import { waitUntilReady } from './wait-until-ready.ts';
import type { ContainerRoute } from './container-route.ts';
import { reasonOf } from './container-runtime.ts';
import type { ContainerSettings } from './container-settings.ts';
import { HarnessFault } from '../checks/faults.ts';
import { isOwnAddress } from '../wire/free-port.ts';

const loopback = '127.0.0.1';
/** Lines of container output in a message. */
const shownLines = 15;
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
export class TestedContainer implements AsyncDisposable {
  readonly logs: ContainerLogs;
  readonly #runtime: ContainerRuntimeClient;
  readonly #start: ContainerStart;
  readonly #port: number;
  readonly #stopped = new AbortController();
  readonly #exited = Promise.withResolvers<number>();
  #id: string | undefined;
  #leftBehind: string | undefined;
  #starting: Promise<unknown> = Promise.resolve();
  #logsEnded: Promise<unknown> = Promise.resolve();
  #down: Promise<void> | undefined;
  #exitCode: number | undefined;
  #place = '';
  #aheadMs = 0;
  #hasStarted = false;
  /** Whether the container runs on this machine. */
  #isHere = false;
  #isFollowed = false;

  /** @param port the port on which it listens */
  constructor(runtime: ContainerRuntimeClient, start: ContainerStart, port: number) {
    this.#runtime = runtime;
    this.#start = start;
    this.#port = port;
    this.logs = new ContainerLogs(start.redact, start.settings.wait.log);
  }

  /** Host and port of the container, once it is ready. */
  get place(): string {
    return this.#place;
  }

  /** Its exit code, if it exited on its own. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Waits until the runtime reports its exit, a few seconds at the most: its listeners may close before. */
  async waitForReportedExit(): Promise<void> {
    await within(this.#exited.promise, exitReportMs);
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
   * Starts it and waits until it is ready. Throws {@link HarnessFault} `container-not-started` and
   * `container-not-ready`, with its latest output. Does not remove the container.
   */
  async start(): Promise<void> {
    const { image, settings, isSafe } = this.#start;
    const [started] = await Promise.all([this.#whileItRuns(this.#run()), this.#compareClocks()]);
    const host = this.#isHere ? loopback : started.getHost();
    this.#place = `${host}:${started.getMappedPort(this.#port)}`;
    const readiness = { place: this.#place, port: this.#port, isSafe, wait: settings.wait, logs: this.logs };
    const missing = await this.#whileItRuns(waitUntilReady(readiness, this.#stopped.signal));
    if (missing === undefined) return;
    throw new HarnessFault('container-not-ready:timeout', {
      image,
      seconds: settings.wait.timeoutSeconds,
      missing,
      output: await this.#latestLines(),
    });
  }

  async #run() {
    const { image, settings, env, route } = this.#start;
    const { GenericContainer } = await import('testcontainers');
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
      listenHereOnly(port: number): this {
        this.hostConfig.PortBindings = { [`${port}/tcp`]: [{ HostIp: loopback, HostPort: '0' }] };
        return this;
      }
    }
    const container = new Tested(image)
      .withExposedPorts(this.#port)
      .withEnvironment({ ...env, ...settings.env })
      .withExtraHosts(route.extraHosts)
      .withWaitStrategy(noWait);
    if (this.#isHere) container.listenHereOnly(this.#port);
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
    // Registered before it starts, so that no exit is missed.
    const ended = this.#runtime.container.getById(id).wait({ condition: 'next-exit' }) as Promise<{
      StatusCode: number;
    }>;
    ended.then(
      ({ StatusCode }) => {
        if (this.#down) return;
        this.#hasStarted = true;
        this.#exitCode = StatusCode;
        this.#exited.resolve(StatusCode);
      },
      // Removed while we waited.
      () => undefined,
    );
  }

  /** Waits for a promise, or throws if the container exits first. */
  async #whileItRuns<T>(waited: Promise<T>): Promise<T> {
    waited.catch(() => undefined);
    const first = await Promise.race([waited.then((value) => ({ value })), this.#exited.promise]);
    if (typeof first !== 'number') return first.value;
    throw new HarnessFault('container-not-ready:exited', {
      image: this.#start.image,
      exitCode: first,
      output: await this.#latestLines(),
    });
  }

  #follow(): void {
    if (this.#id === undefined || this.#isFollowed) return;
    this.#isFollowed = true;
    const { dockerode } = this.#runtime.container;
    const { stdout, stderr } = this.logs;
    const follow = async () => {
      const stream = await dockerode
        .getContainer(this.#id ?? '')
        .logs({ follow: true, stdout: true, stderr: true, timestamps: true });
      const ended = new Promise<void>((resolve) => {
        for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve());
      });
      dockerode.modem.demuxStream(stream, stdout, stderr);
      await ended;
      stdout.end();
      stderr.end();
    };
    // Some runtimes keep no logs; the run continues without them.
    this.#logsEnded = follow().catch(() => undefined);
  }

  async #latestLines(): Promise<string> {
    this.#follow();
    // Its latest output may still be in transit.
    await within(this.#logsEnded, this.#exitCode === undefined ? 0 : lastLinesMs);
    const lines = this.logs.lines().slice(-shownLines);
    if (lines.length === 0) return this.#hasStarted ? ' It has written no output.' : '';
    return [' Its latest output:', ...lines.map(({ text }) => `  ${text}`)].join('\n');
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
