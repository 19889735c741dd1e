import { spawn, type ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { HarnessFault } from '../checks/faults.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import { killGroupOnExit } from './kill-group-on-exit.ts';
import { EndpointLogs } from './endpoint-logs.ts';
import { forwardLines } from './forward-lines.ts';
import { formatLatestLines } from './latest-lines.ts';
import type { Listener } from './balancer.ts';
import { waitForExit } from './wait-for-exit.ts';
import { describeExit } from './exit-record.ts';
import type { InstanceRole } from './instance-role.ts';
import { endGroup, signalGroup } from './process-group.ts';
import { Restarts, type Life } from './restarts.ts';
import type { StartSettings } from './start-settings.ts';
import type { StartedInstance } from './started-instances.ts';
import {
  acceptsConnections,
  waitUntilReady,
  waitUntilReadyAgain,
  type ExpectedListener,
  type Readiness,
} from './wait-until-ready.ts';

/** Milliseconds for the processes to exit after they were asked to. */
const endingMs = 3_000;
/** Milliseconds for the last output to arrive after the processes ended. */
const lastLinesMs = 1_000;

/** Parameters of a start. */
export interface ProcessStart {
  settings: StartSettings;
  /** Additional variables; those of the settings take precedence. */
  env: Readonly<Record<string, string>>;
  /** Where it should listen if it is one of several instances: the variable `PORT` contains the port. */
  own?: Listener;
  /** The places at which it should listen. */
  listeners: readonly ExpectedListener[];
  /** Scheme, host and port of the address with `wait.path`. */
  origin: string;
  /** Redacts secrets in the command and its output. */
  redact: (text: string) => string;
}

/** The endpoint that a command starts. Disposing ends all of its processes, and may be repeated. */
export class StartedProcess implements StartedInstance {
  readonly logs: EndpointLogs;
  readonly #start: ProcessStart;
  /** Taken once: the test runner sets variables, which a restarted endpoint must not see. */
  readonly #environment: NodeJS.ProcessEnv;
  readonly #stopped = new AbortController();
  readonly #restarts: Restarts;
  #current: { group: number; guard: Disposable; closed: Promise<unknown> } | undefined;
  #down: Promise<void> | undefined;

  constructor(start: ProcessStart, role: InstanceRole) {
    this.#start = start;
    this.#environment = {
      ...process.env,
      ...start.env,
      ...start.settings.env,
      ...(start.own && { PORT: String(start.own.port) }),
    };
    this.logs = new EndpointLogs(start.redact, start.settings.wait.log);
    this.#restarts = new Restarts(
      () => {
        this.logs.awaitAgain();
        return this.#run();
      },
      this.#stopped.signal,
      role,
    );
  }

  /**
   * Starts it and waits until it is ready; from then on it is started again whenever it ends. Throws {@link HarnessFault}
   * `endpoint-not-started` and `endpoint-not-ready`, with its latest output.
   */
  async start(): Promise<void> {
    await this.#assertFree();
    const { settings, redact } = this.#start;
    const { wait } = settings;
    const command = redact(settings.command);
    // Another instance that could not start may have ended this one.
    this.#stopped.signal.throwIfAborted();
    const life = this.#run();
    const ready = waitUntilReady(this.#readiness, this.#stopped.signal);
    ready.catch(() => undefined);
    const first = await Promise.race([ready.then((missing) => ({ missing })), life.ended]);
    if (!('missing' in first)) {
      this.#stopped.signal.throwIfAborted();
      await this.#lastLines();
      throw new HarnessFault('endpoint-not-ready:exited', {
        command,
        how: describeExit(first),
        output: formatLatestLines(this.logs),
      });
    }
    const { missing } = first;
    if (missing !== undefined) {
      throw new HarnessFault('endpoint-not-ready:timeout', {
        command,
        seconds: wait.timeoutSeconds,
        missing,
        output: formatLatestLines(this.logs),
      });
    }
    void this.#restarts.follow(life);
  }

  get listener(): Listener | undefined {
    return this.#start.own;
  }

  /** Whether it could not be started again: it ended each time before it listened. */
  get isDown(): boolean {
    return this.#restarts.isDown;
  }

  get #readiness(): Readiness {
    const { settings, listeners, origin } = this.#start;
    return { listeners, origin, wait: settings.wait, logs: this.logs };
  }

  /** Kills it at once; it is started again. */
  kill(): void {
    if (this.#current && signalGroup(this.#current.group, 'SIGKILL')) this.#restarts.expectKill(true);
  }

  /** Another program at one of the addresses would be judged instead. */
  async #assertFree(): Promise<void> {
    const { settings, listeners, redact } = this.#start;
    const { directory } = settings;
    const command = redact(settings.command);
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
      throw new HarnessFault('endpoint-not-started:directory', { command, directory });
    }
    // A tunnel to this machine is open before the endpoint listens.
    const local = listeners.filter(({ place }) => isLoopback(new URL(`http://${place}`).hostname));
    for (const listener of local) {
      if (!(await acceptsConnections(listener))) continue;
      throw new HarnessFault('endpoint-not-started:occupied', { command, place: listener.place });
    }
  }

  #run(): Life {
    const { settings } = this.#start;
    const child = spawn(settings.command, {
      shell: true,
      cwd: settings.directory,
      // A separate process group, so that processes started by the shell can be ended with it.
      detached: process.platform !== 'win32',
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#collect(child);
    const ended = waitForExit(child);
    const { pid } = child;
    if (pid !== undefined) {
      const guard = killGroupOnExit(pid);
      this.#current = { group: pid, guard, closed: once(child, 'close').catch(() => undefined) };
      void ended.then(() => {
        // The others of its group would keep the port.
        signalGroup(pid, 'SIGKILL');
        guard[Symbol.dispose]();
      });
    }
    return { ended, listens: async (signal) => await waitUntilReadyAgain(this.#readiness, signal) };
  }

  #collect(child: ChildProcess): void {
    const { stdout, stderr } = this.logs;
    if (child.stdout) forwardLines(child.stdout, stdout);
    if (child.stderr) forwardLines(child.stderr, stderr);
    child.once('close', () => this.logs.endLines());
  }

  async #lastLines(): Promise<void> {
    await Promise.race([this.#current?.closed, delay(lastLinesMs)]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#down ??= this.#takeDown());
  }

  async #takeDown(): Promise<void> {
    this.#stopped.abort();
    if (!this.#current) return;
    const { group, guard } = this.#current;
    await endGroup(group, { withinMs: endingMs });
    guard[Symbol.dispose]();
    await this.#lastLines();
  }
}
