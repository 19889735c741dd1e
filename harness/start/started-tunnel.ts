import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { HarnessFault } from '../checks/faults.ts';
import { callbackRouteProblem } from '../wire/callback-route.ts';
import { Inbox } from '../wire/inbox.ts';
import { killGroupOnExit } from './kill-group-on-exit.ts';
import { EndpointLogs } from './endpoint-logs.ts';
import { forwardLines } from './forward-lines.ts';
import { formatLatestLines } from './latest-lines.ts';
import { endGroup } from './process-group.ts';
import { waitForExit } from './wait-for-exit.ts';
import { describeExit, type Exit } from './exit-record.ts';
import { tunnelAddresses } from './tunnel-addresses.ts';

/** Milliseconds until the tunnel must lead here: a new name may take most of a minute until every resolver knows it. */
const openingMs = 60_000;
/** Milliseconds between two attempts to reach ourselves through the tunnel. */
const pollMs = 250;
/** Test requests after the run: one of them may fail for a moment of the network. */
const lastAttempts = 3;
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
 * A program that forwards requests from a public address to a port of this machine. Disposing ends all of its processes, and
 * may be repeated.
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
  #address: string | undefined;
  #down: Promise<void> | undefined;

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
    this.#guard = child.pid === undefined ? undefined : killGroupOnExit(child.pid);
    this.ended = waitForExit(child);
    void this.ended.then((exit) => (this.#exit = exit));
  }

  /**
   * Waits until a request to one of its addresses arrives here, and returns this address. Throws {@link HarnessFault}
   * `tunnel-failed`, and an `AbortError` once the signal aborts.
   */
  async address(signal?: AbortSignal): Promise<string> {
    const { withinMs = openingMs } = this.#start;
    const until = performance.now() + withinMs;
    let latest: { address: string; found: string } | undefined;
    while (performance.now() < until) {
      if (this.#exit) throw await this.#fault(this.#exit);
      for (const address of this.#candidates) {
        const found = await this.#problemOf(address, signal);
        if (found === undefined) return (this.#address = address);
        latest = { address, found };
      }
      await Promise.race([delay(pollMs, undefined, { signal }), this.ended]);
    }
    const [command, output] = [this.#command, formatLatestLines(this.#logs)];
    if (!latest) throw new HarnessFault('tunnel-failed:no-address', { command, seconds: withinMs / 1000, output });
    const { address, found } = latest;
    throw new HarnessFault('tunnel-failed:astray', { command, address, found: this.#start.redact(found), output });
  }

  /**
   * Throws {@link HarnessFault} `tunnel-ended` if it has ended, or if requests to the address that {@link address} returned
   * no longer arrive here: callbacks could not arrive then. The port must be free.
   */
  async assertOpen(): Promise<void> {
    if (this.#down) return;
    let found: string | undefined;
    for (let attempt = 1; attempt <= lastAttempts; attempt++) {
      if (this.#exit) {
        const how = describeExit(this.#exit);
        throw new HarnessFault('tunnel-ended:exited', { command: this.#command, how, output: await this.#output() });
      }
      found = this.#address === undefined ? undefined : await this.#problemOf(this.#address);
      if (found === undefined) return;
      await Promise.race([delay(pollMs), this.ended]);
    }
    const [command, address = '', output] = [this.#command, this.#address, formatLatestLines(this.#logs)];
    const shown = this.#start.redact(found ?? '');
    throw new HarnessFault('tunnel-ended:astray', { command, address, found: shown, output });
  }

  get #candidates(): string[] {
    const { publicUrl, port } = this.#start;
    if (publicUrl !== undefined) return [publicUrl];
    return tunnelAddresses(
      this.#logs.lines().map(({ text }) => text),
      port,
    );
  }

  async #problemOf(publicUrl: string, signal?: AbortSignal): Promise<string | undefined> {
    const { host, port } = this.#start;
    await using inbox = await Inbox.open({ host, port, publicUrl });
    return await callbackRouteProblem(inbox, signal);
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
    await (this.#down ??= this.#end());
  }

  async #end(): Promise<void> {
    if (this.#group !== undefined) await endGroup(this.#group, { withinMs: endingMs });
    this.#guard?.[Symbol.dispose]();
  }
}
