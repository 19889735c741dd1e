import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { HarnessFault } from '../checks/faults.ts';
import { callbackRouteProblem } from '../wire/callback-route.ts';
import { Inbox } from '../wire/inbox.ts';
import { endWithUs } from './end-with-us.ts';
import { EndpointLogs } from './endpoint-logs.ts';
import { forwardLines } from './forward-lines.ts';
import { formatLatestLines } from './latest-lines.ts';
import { endGroup } from './process-group.ts';
import { describeExit, type Exit } from './exit-record.ts';
import { tunnelAddresses } from './tunnel-addresses.ts';

/** Milliseconds until the tunnel must lead here: a new name may take most of a minute until every resolver knows it. */
const openingMs = 60_000;
/** Milliseconds between two attempts to reach ourselves through the tunnel. */
const pollMs = 250;
/** Milliseconds for the processes to exit after they were asked to, and for the last output to arrive. */
const endingMs = 3_000;

/** Parameters of a tunnel. */
export interface TunnelStart {
  /** Runs in a shell; `{port}` is replaced by `port`. */
  command: string;
  /** Where we listen. */
  host: string;
  port: number;
  /** The address of the tunnel, if it is known. Default: one in its output. */
  publicUrl?: string | undefined;
  redact: (text: string) => string;
  /** Milliseconds until it must lead here; default: a minute. */
  withinMs?: number;
}

/**
 * A program that forwards requests from a public address to a port of this machine. Disposing ends all of its processes.
 */
export class StartedTunnel implements AsyncDisposable {
  /** Resolves when it ends. */
  readonly ended: Promise<Exit>;
  readonly #start: TunnelStart;
  readonly #command: string;
  readonly #logs: EndpointLogs;
  readonly #group: number | undefined;
  readonly #guard: Disposable | undefined;
  readonly #closed: Promise<unknown>;
  #exit: Exit | undefined;
  #isDisposed = false;

  constructor(start: TunnelStart) {
    this.#start = start;
    this.#command = start.redact(start.command);
    this.#logs = new EndpointLogs(start.redact);
    const child = spawn(start.command.replaceAll('{port}', String(start.port)), {
      shell: true,
      // A separate process group, so that processes started by the shell can be ended with it.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    forwardLines(child.stdout, this.#logs.stdout);
    forwardLines(child.stderr, this.#logs.stderr);
    this.#closed = once(child, 'close').catch(() => undefined);
    this.#group = child.pid;
    this.#guard = child.pid === undefined ? undefined : endWithUs(child.pid);
    this.ended = new Promise((resolve) => {
      child.once('error', () => resolve({}));
      child.once('exit', (code, signal) =>
        resolve({ ...(code !== null && { code }), ...(signal !== null && { signal }) }),
      );
    });
    void this.ended.then((exit) => (this.#exit = exit));
  }

  /**
   * Waits until a request to one of its addresses arrives here, and returns this address. Throws {@link HarnessFault}
   * `tunnel-failed`.
   */
  async address(): Promise<string> {
    const { withinMs = openingMs } = this.#start;
    const until = performance.now() + withinMs;
    let latest: { address: string; found: string } | undefined;
    while (performance.now() < until) {
      if (this.#exit) throw await this.#fault(this.#exit);
      for (const address of this.#candidates) {
        const found = await this.#problemOf(address);
        if (found === undefined) return address;
        latest = { address, found };
      }
      await Promise.race([delay(pollMs), this.ended]);
    }
    const [command, output] = [this.#command, formatLatestLines(this.#logs)];
    if (!latest) throw new HarnessFault('tunnel-failed:no-address', { command, seconds: withinMs / 1000, output });
    const { address, found } = latest;
    throw new HarnessFault('tunnel-failed:astray', { command, address, found: this.#start.redact(found), output });
  }

  /** Throws {@link HarnessFault} `tunnel-failed` if it has ended: callbacks could not arrive then. */
  async assertOpen(): Promise<void> {
    if (!this.#exit || this.#isDisposed) return;
    const how = describeExit(this.#exit);
    throw new HarnessFault('tunnel-failed:ended', { command: this.#command, how, output: await this.#output() });
  }

  get #candidates(): string[] {
    const { publicUrl, port } = this.#start;
    if (publicUrl !== undefined) return [publicUrl];
    return tunnelAddresses(
      this.#logs.lines().map(({ text }) => text),
      port,
    );
  }

  async #problemOf(publicUrl: string): Promise<string | undefined> {
    const { host, port } = this.#start;
    await using inbox = await Inbox.open({ host, port, publicUrl });
    return await callbackRouteProblem(inbox);
  }

  async #fault(exit: Exit): Promise<HarnessFault> {
    const how = describeExit(exit);
    return new HarnessFault('tunnel-failed:exited', { command: this.#command, how, output: await this.#output() });
  }

  async #output(): Promise<string> {
    await Promise.race([this.#closed, delay(endingMs)]);
    this.#logs.endLines();
    return formatLatestLines(this.#logs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    if (this.#group !== undefined) await endGroup(this.#group, { withinMs: endingMs });
    this.#guard?.[Symbol.dispose]();
  }
}
