import type { IncomingMessage, ServerResponse } from 'node:http';
import { isFromOtherSite } from '../../../service/is-from-other-site.ts';
import { redactionOf } from '../../../service/without-secrets.ts';
import { isLoopback } from '../../../specs/is-loopback.ts';
import { isLocalVisit } from './is-local-visit.ts';
import { KeyedLists } from './keyed-lists.ts';
import { pageLists, type PageSource } from './page-lists.ts';
import { pagePolicy, renderPage } from './render-page.ts';

/** Milliseconds between two notices of changes: a streamed answer causes many. */
const noticeMs = 150;
/** Milliseconds between two comments on a stream without changes: proxies cut connections that are idle for a minute. */
const keepAliveMs = 20_000;

/** Where the page finds the service. */
export interface PageOptions extends PageSource {
  /** Address of the control API. Its path cannot be guessed, so it also gives access to the page. */
  controlUrl: string;
}

/**
 * The page of a running service: conversations, calls and deliveries as they happen, and buttons that play steps. It is
 * at `/` for browsers on this machine, and at the address of the control API for any browser that has this address:
 * a visitor can trigger deliveries and read what was said.
 */
export class ServicePage implements Disposable {
  readonly #options: PageOptions;
  readonly #controlPath: string;
  readonly #lists = new KeyedLists();
  readonly #watching = new Set<ServerResponse>();
  readonly #stopListening: (() => void)[];
  readonly #keepAlive: NodeJS.Timeout;
  #notice: NodeJS.Timeout | undefined;

  constructor(options: PageOptions) {
    this.#options = options;
    this.#controlPath = new URL(options.controlUrl).pathname;
    const changed = () => this.#announce();
    this.#stopListening = [options.inbox.events.listen(changed), options.traffic.listen(changed)];
    this.#keepAlive = setInterval(() => this.#sendToAll(':\n\n'), keepAliveMs).unref();
  }

  /** Where a browser on this machine finds it. A service that listens on another address has it at the control API. */
  get url(): string {
    const { controlUrl } = this.#options;
    const { origin, hostname } = new URL(controlUrl);
    return isLoopback(hostname) && !this.#isPublic ? `${origin}/` : controlUrl;
  }

  /** Whether others reach the service at a public URL: a tunnel may forward their requests without a trace of them. */
  get #isPublic(): boolean {
    const { inbox, controlUrl } = this.#options;
    return new URL(inbox.baseUrl()).origin !== new URL(controlUrl).origin;
  }

  /** Answers a request to the page; returns `false` for any other one. `target`: path and query below the base URL. */
  handle(request: IncomingMessage, response: ServerResponse, target: string): boolean {
    const [path = '', query = ''] = target.split('?');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const wantsPage = isRead && request.headers.accept?.includes('text/html') === true;
    const own = this.#controlPath;
    const isAtControl = path === own || path === `${own}/`;
    if (wantsPage && (isAtControl || (path === '/' && !this.#isPublic && isLocalVisit(request)))) {
      if (this.#refuses(request, response)) return true;
      const { baseUrl } = this.#options.inbox;
      const page = renderPage({ baseUrl: baseUrl(), ...(!isAtControl && { controlPath: own }) });
      send(response, 200, 'text/html; charset=utf-8', page);
      return true;
    }
    if (!path.startsWith(`${own}/page/`)) return false;
    if (this.#refuses(request, response)) return true;
    const [what = '', id = ''] = path.slice(`${own}/page/`.length).split('/');
    if (request.method === 'GET' && what === 'view') this.#sendView(response, query);
    else if (request.method === 'GET' && what === 'changes') this.#watch(response);
    else if (request.method === 'POST' && what === 'again') void this.#sendAgain(response, id);
    else sendProblem(response, 404, 'There is nothing at this address of the page.');
    return true;
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stopListening) stop();
    clearTimeout(this.#notice);
    clearInterval(this.#keepAlive);
    for (const response of this.#watching) response.end();
  }

  #refuses(request: IncomingMessage, response: ServerResponse): boolean {
    if (!isFromOtherSite(request, [new URL(this.#options.inbox.baseUrl()).host])) return false;
    sendProblem(response, 403, 'The request comes from a page of another site.');
    return true;
  }

  #sendView(response: ServerResponse, query: string): void {
    for (const [name, items] of Object.entries(pageLists(this.#options))) this.#lists.update(name, items);
    const since = Number(new URLSearchParams(query).get('since')) || 0;
    sendJson(response, 200, {
      revision: this.#lists.revision,
      now: this.#options.inbox.clock.now(),
      lists: this.#lists.changesSince(since),
    });
  }

  /** Server-sent events (HTML Standard, 9.2): each one says that something has changed. */
  #watch(response: ServerResponse): void {
    response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' });
    response.write(':\n\n');
    this.#watching.add(response);
    response.once('close', () => this.#watching.delete(response));
  }

  #announce(): void {
    if (this.#watching.size === 0) return;
    this.#notice ??= setTimeout(() => {
      this.#notice = undefined;
      this.#sendToAll('data: changed\n\n');
    }, noticeMs);
  }

  #sendToAll(text: string): void {
    for (const response of this.#watching) response.write(text);
  }

  async #sendAgain(response: ServerResponse, id: string): Promise<void> {
    const logged = this.#options.traffic.kept.find((one) => one.id === id);
    if (!logged?.repeat) return sendProblem(response, 404, 'This delivery is not kept any more.');
    try {
      await logged.repeat();
      sendJson(response, 200, { again: id });
    } catch (error) {
      // It may repeat what the endpoint sent, or its address.
      const message = error instanceof Error ? error.message : String(error);
      sendProblem(response, 409, redactionOf(this.#options.inbox.workspace).foreign(message));
    }
  }
}

const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': pagePolicy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // The address of the page may contain the address of the control API.
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

function sendJson(response: ServerResponse, status: number, body: unknown, type = 'application/json'): void {
  send(response, status, type, JSON.stringify(body));
}

function sendProblem(response: ServerResponse, status: number, detail: string): void {
  sendJson(response, status, { type: 'about:blank', status, detail }, 'application/problem+json');
}
