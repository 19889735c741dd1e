import { randomBytes } from 'node:crypto';
import type { Answer, WireRequest } from '../../harness/wire/observation.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { Connection } from '../connection.ts';

/** Requests for comparison with the valid one. */
export type ControlName = 'get' | 'options' | 'no-such-path' | 'get-no-such-path' | 'unsigned';

/** Sends other requests to the same server, each at most once. None is signed or has an effect. */
export class HttpControls {
  readonly #connection: Connection;
  readonly #url: URL;
  readonly #nowhere: URL;
  readonly #asked = new Map<ControlName, Promise<Answer>>();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#url = new URL(connection.url.replace(/^ws/, 'http'));
    this.#nowhere = new URL(`/no-such-path-${randomBytes(6).toString('hex')}`, this.#url);
  }

  /** A random path: its occurrence in a page is not a difference. */
  get nowhere(): string {
    return this.#nowhere.pathname;
  }

  get surface(): DiagnosedSurface {
    return this.#connection.surface;
  }

  get path(): string {
    return this.#url.pathname;
  }

  ask(name: ControlName): Promise<Answer> {
    const asked = this.#asked.get(name) ?? this.#ask(name);
    this.#asked.set(name, asked);
    return asked;
  }

  /** Sends an unsigned request of the usual kind to a neighbouring path of the same server. */
  async askPath(path: string): Promise<Answer> {
    const url = new URL(this.#url);
    url.pathname = path;
    const isCall = this.#connection.surface === 'own-ai-phone';
    return await this.#send(isCall ? 'GET' : 'POST', url, `an unsigned request to ${path}`);
  }

  async #ask(name: ControlName): Promise<Answer> {
    switch (name) {
      case 'get':
        return await this.#send('GET', this.#url, 'a plain GET of the URL');
      case 'options':
        return await this.#send('OPTIONS', this.#url, 'OPTIONS of the URL');
      case 'no-such-path':
        return await this.#send('POST', this.#nowhere, 'a nonexistent path');
      case 'get-no-such-path':
        return await this.#send('GET', this.#nowhere, 'a plain GET of a nonexistent path');
      case 'unsigned':
        return await this.#send('POST', this.#url, 'an empty object without a signature or token');
    }
  }

  async #send(method: string, url: URL, label: string): Promise<Answer> {
    const make = (): WireRequest => ({
      method,
      url: url.href,
      headers: [
        ['User-Agent', 'svc-conform'],
        ...(method === 'POST' ? ([['Content-Type', 'application/json']] as const) : []),
      ],
      body: Buffer.from(method === 'POST' ? '{}' : ''),
    });
    // The same timeout as for valid requests, so that slowness is not a difference.
    return (await this.#connection.ask(make, { label, toBeRefused: true })).answer;
  }
}
