import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EndpointRequest, EndpointRun, WorkerReady } from './endpoint-run.ts';

/** Milliseconds for one endpoint: a fault may also make a check wait for ever. */
const endpointMs = 90_000;

const program = fileURLToPath(new URL('fault-worker.ts', import.meta.url));

/** A process that runs endpoints of the proof. */
export class WorkerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ready: Promise<WorkerReady | undefined>;
  readonly #ended: Promise<undefined>;
  #requests = 0;

  /** Starts the process; see {@link PlantedSources.environment}. */
  constructor(env: NodeJS.ProcessEnv) {
    this.#child = fork(program, { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }).setMaxListeners(0);
    this.#ended = new Promise((resolve) => this.#child.once('exit', () => resolve(undefined)));
    this.#ready = this.#answer<WorkerReady>();
  }

  /** The faults that are reached when the suites are loaded; `undefined` if a fault prevents that. */
  async loaded(): Promise<string[] | undefined> {
    return (await this.#ready)?.loaded;
  }

  /**
   * Runs an endpoint; `undefined` if the process ended or did not answer in time: then it is of no further use. What
   * runs at the same time must have the same fault.
   */
  async run(request: EndpointRequest): Promise<EndpointRun | undefined> {
    if ((await this.#ready) === undefined || !this.#child.connected) return undefined;
    const id = ++this.#requests;
    const answer = this.#answer<EndpointRun>(id);
    this.#child.send({ ...request, id });
    return await answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async #answer<T>(to?: number): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    const timer = setTimeout(() => {
      this.#child.kill('SIGKILL');
      resolve(undefined);
    }, endpointMs);
    const onMessage = (message: T & { id?: number }) => {
      if (message.id === to) resolve(message);
    };
    this.#child.on('message', onMessage);
    try {
      return await Promise.race([promise, this.#ended]);
    } finally {
      clearTimeout(timer);
      this.#child.off('message', onMessage);
    }
  }
}
