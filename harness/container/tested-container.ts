import type { ContainerRuntimeClient, WaitStrategy } from 'testcontainers';
import { ContainerLogs } from './container-logs.ts';
import { waitUntilReady } from './container-ready.ts';
import type { ContainerRoute } from './container-route.ts';
import { reasonOf } from './container-runtime.ts';
import type { ContainerSettings } from './container-settings.ts';
import { HarnessFault } from '../checks/faults.ts';
import { isOwnAddress } from '../wire/free-port.ts';

const loopback = '127.0.0.1';
/** Lines of a container that a message shows. */
const shownLines = 15;
/** Milliseconds that what a container wrote last has to arrive once it is gone. */
const lastLinesMs = 2_000;
/** Milliseconds after the end of a container in which its runtime tells of it, on a busy machine. */
const exitReportMs = 5_000;

/** What is needed to start a container. */
export interface ContainerStart {
  image: string;
  settings: ContainerSettings;
  /** Variables in addition to those of the settings, which win. */
  env: Readonly<Record<string, string>>;
  route: ContainerRoute;
  /** Whether it is reached by TLS. */
  isSafe: boolean;
  /** Takes secrets out of what it writes. */
  redact: (text: string) => string;
}

/** A container that is tested. Disposing of it takes it down, however far it has come; more than once does no harm. */
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
  /** The container runs on this machine. */
  #isHere = false;
  #isFollowed = false;

  /** @param port the port on which it listens */
  constructor(runtime: ContainerRuntimeClient, start: ContainerStart, port: number) {
    this.#runtime = runtime;
    this.#start = start;
    this.#port = port;
    this.logs = new ContainerLogs(start.redact, start.settings.wait.log);
  }

  /** Host and port by which it is reached, once it is ready. */
  get place(): string {
    return this.#place;
  }

  /** Its exit code, when it has ended by itself. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Waits until the runtime tells that it has ended, a few seconds at the most: what listened in it may be gone before. */
  async waitForReportedExit(): Promise<void> {
    await within(this.#exited.promise, exitReportMs);
  }

  /** Why it could not be taken down, and how to do it; what was judged stands all the same. */
  get leftBehind(): string | undefined {
    return this.#leftBehind && `${this.#leftBehind}; docker rm -f ${this.#id ?? ''}`;
  }

  /** By how many milliseconds its clock is ahead of ours. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /**
   * Starts it and waits until it is ready. Throws {@link HarnessFault} `container-not-started` and
   * `container-not-ready`, with the latest lines that it wrote. Takes nothing down.
   */
  async start(): Promise<void> {
    const { image, settings, isSafe } = this.#start;
    const [started] = await Promise.all([this.#whileItRuns(this.#run()), this.#compareClocks()]);
    const host = this.#isHere ? loopback : started.getHost();
    this.#place = `${host}:${started.getMappedPort(this.#port)}`;
    const readiness = { place: this.#place, port: this.#port, isSafe, wait: settings.wait, logs: this.logs };
    try {
      await this.#whileItRuns(waitUntilReady(readiness, this.#stopped.signal));
    } catch (error) {
      if (!(error instanceof HarnessFault)) throw error;
      // The end is told with its own words.
      if (this.#exitCode !== undefined) throw error;
      throw new HarnessFault(error.code, `The container of ${image} ${error.message}${await this.#latestLines()}`, {
        cause: error,
      });
    }
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
      /** The secrets of a test are in it, so it is nobody else's business. */
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
        `${notStarted(image, reasonOf(error))}${await this.#latestLines()}`,
        {
          cause: error,
        },
      );
    }
  }

  #created(id: string): void {
    this.#id = id;
    this.#stopped.signal.throwIfAborted();
    // Asked for before it starts, so that no end is too early to be seen.
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
      // Taken down while we waited.
      () => undefined,
    );
  }

  /** What is waited for, unless the container ends before; then its end is thrown. */
  async #whileItRuns<T>(waited: Promise<T>): Promise<T> {
    waited.catch(() => undefined);
    const first = await Promise.race([waited.then((value) => ({ value })), this.#exited.promise]);
    if (typeof first !== 'number') return first.value;
    throw new HarnessFault(
      'container-not-ready',
      `The container of ${this.#start.image} ended with exit code ${first} before it was ready.${await this.#latestLines()}`,
    );
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
    // A runtime may keep no logs; the run goes on without them.
    this.#logsEnded = follow().catch(() => undefined);
  }

  async #latestLines(): Promise<string> {
    this.#follow();
    // It has ended, or has had its time: what it wrote is on its way.
    await within(this.#logsEnded, this.#exitCode === undefined ? 0 : lastLinesMs);
    const lines = this.logs.lines().slice(-shownLines);
    if (lines.length === 0) return this.#hasStarted ? ' It has written nothing.' : '';
    return [' The last that it wrote:', ...lines.map(({ text }) => `  ${text}`)].join('\n');
  }

  async #compareClocks(): Promise<void> {
    const asked = Date.now();
    const info = (await this.#runtime.container.dockerode.info().catch(() => ({}))) as { SystemTime?: string };
    const answered = Date.now();
    const theirs = Date.parse(info.SystemTime ?? '');
    // Nothing is known more exactly than the question took.
    const aheadMs = theirs - (asked + answered) / 2;
    if (Math.abs(aheadMs) > answered - asked) this.#aheadMs = Math.round(aheadMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#down ??= this.#takeDown());
  }

  async #takeDown(): Promise<void> {
    this.#stopped.abort();
    // One that is being made has no name yet.
    if (this.#id === undefined) await this.#starting;
    if (this.#id === undefined) return;
    try {
      await this.#runtime.container.getById(this.#id).remove({ force: true, v: true });
    } catch (error) {
      // 404: it is gone. 409: it is being removed.
      const { statusCode } = error as { statusCode?: number };
      if (statusCode !== 404 && statusCode !== 409) this.#leftBehind = reasonOf(error);
    }
    await within(this.#logsEnded, lastLinesMs);
  }
}

/** We wait ourselves: those of the library do not see that a container ends, nor what it wrote. */
const noWait: WaitStrategy = {
  waitUntilReady: async () => undefined,
  withStartupTimeout: () => noWait,
  isStartupTimeoutSet: () => false,
  getStartupTimeout: () => 0,
};

function notStarted(image: string, reason: string): string {
  const ryuk = /testcontainers\/ryuk/.test(reason)
    ? ' That is what takes containers down when this process is killed; TESTCONTAINERS_RYUK_DISABLED=true does without it.'
    : '';
  return `A container of ${image} could not be started: ${reason}.${ryuk}`;
}

async function within(what: Promise<unknown>, ms: number): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const timeout = setTimeout(timer.resolve, ms);
  await Promise.race([what, timer.promise]);
  clearTimeout(timeout);
}
