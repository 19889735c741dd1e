import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EndpointRequest, EndpointRun, WorkerReady } from './endpoint-run.ts';

/** Milliseconds for one endpoint: a fault may also make a check wait for ever. */
const endpointMs = 90_000;

const program = fileURLToPath(new URL('fault-worker.ts', import.meta.url));

/** A process that runs endpoints of the proof one at a time. */
export class WorkerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ready: Promise<WorkerReady | undefined>;
  readonly #ended: Promise<undefined>;

  /** Starts the process; see {@link PlantedSources.environment}. */
  constructor(env: NodeJS.ProcessEnv) {
    this.#child = fork(program, { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#ended = new Promise((resolve) => this.#child.once('exit', () => resolve(undefined)));
    this.#ready = this.#next<WorkerReady>();
  }

  /** The faults that are reached when the suites are loaded; `undefined` if a fault prevents that. */
  async loaded(): Promise<string[] | undefined> {
    return (await this.#ready)?.loaded;
  }

  /** Runs an endpoint; `undefined` if the process ended or did not answer in time: then it is of no further use. */
  async run(request: EndpointRequest): Promise<EndpointRun | undefined> {
    if ((await this.#ready) === undefined || !this.#child.connected) return undefined;
    const answer = this.#next<EndpointRun>();
    this.#child.send(request);
    return await answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  #next<T>(): Promise<T | undefined> {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      this.#child.kill('SIGKILL');
      resolve(undefined);
    }, endpointMs);
    const message = new Promise<T>((received) => this.#child.once('message', received));
    return Promise.race([message, this.#ended, late]).finally(() => clearTimeout(timer));
  }
}
