/* eslint-disable @typescript-eslint/no-explicit-any -- functions of Node are wrapped, whatever they take */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net, { type AddressInfo } from 'node:net';

/** Occurs in every planted value, so that each effect of one can be recognised. */
export const marker = 'canary';
/** Prefix of every planted environment variable. */
const variable = 'CANARY_';

const readingFunctions = [
  'readFile',
  'readFileSync',
  'open',
  'openSync',
  'stat',
  'statSync',
  'existsSync',
  'readdir',
  'readdirSync',
  'glob',
  'globSync',
  'realpath',
  'createReadStream',
];

/** Watches the effects of planted values in this process, and listens at planted addresses. */
export class EffectWatch implements AsyncDisposable {
  #effects: string[] = [];
  readonly #onEffect: (effect: string) => void;
  readonly #undo: (() => void)[] = [];
  readonly #server = createServer((request, response) => {
    this.#add(`request ${request.url}`);
    response.writeHead(204).end();
  });

  private constructor(onEffect: (effect: string) => void) {
    this.#onEffect = onEffect;
  }

  /** Listens on loopback and begins to watch. */
  static async open(onEffect: (effect: string) => void = () => undefined): Promise<EffectWatch> {
    const watch = new EffectWatch(onEffect);
    await new Promise<void>((resolve) => watch.#server.listen(0, '127.0.0.1', resolve));
    watch.#server.on('upgrade', (request, socket) => {
      watch.#add(`upgrade ${request.url}`);
      socket.destroy();
    });
    watch.#watch();
    return watch;
  }

  /** The target of planted addresses. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Effects since the last call. */
  take(): string[] {
    return this.#effects.splice(0);
  }

  /** The watch does not keep the process alive. */
  unref(): void {
    this.#server.unref();
  }

  #add(effect: string): void {
    this.#effects.push(effect);
    this.#onEffect(effect);
  }

  #watch(): void {
    this.#wrap(childProcess.ChildProcess.prototype, 'spawn', 'run');
    for (const name of ['spawnSync', 'execSync', 'execFileSync']) this.#wrap(childProcess, name, 'run');
    for (const name of readingFunctions) {
      this.#wrap(fs, name, 'read');
      if (name in fs.promises) this.#wrap(fs.promises, name, 'read');
    }
    this.#wrap(net.Socket.prototype, 'connect', 'connect', (args) =>
      JSON.stringify(args).includes(this.host.slice(10)),
    );
    const { env } = process;
    process.env = new Proxy(env, {
      get: (target, name) => {
        if (typeof name !== 'string' || !name.startsWith(variable)) return Reflect.get(target, name) as unknown;
        this.#add(`variable ${name}`);
        return `value-of-${name}`;
      },
    });
    this.#undo.push(() => (process.env = env));
    syncBuiltinESMExports();
  }

  #wrap(owner: any, name: string, what: string, isWatched = (_: unknown[]) => false): void {
    const original = owner[name];
    const add = (effect: string) => this.#add(effect);
    owner[name] = function (this: unknown, ...args: unknown[]) {
      const words = args.map((arg) => (typeof arg === 'string' ? arg : shortJson(arg))).join(' ');
      if (words.includes(marker) || isWatched(args)) add(`${what} ${name} ${words.slice(0, 300)}`);
      return original.apply(this, args);
    };
    this.#undo.push(() => (owner[name] = original));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const undo of this.#undo) undo();
    syncBuiltinESMExports();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Without the environment of a process: the environment of the test contains planted variables. */
function shortJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value instanceof URL ? value.href : value, (name, inner: unknown) =>
      name === 'envPairs' || name === 'env' ? undefined : inner,
    );
  } catch {
    return '';
  }
}
