import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fastify from 'fastify';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { suggestion } from '../specs/nearest.ts';
import { fileBounds, readBoundedJson } from '../specs/bounded-json.ts';
import { isFromOtherSite } from './is-from-other-site.ts';
import { Problem } from './problem.ts';
import type { ServiceInbox } from './service-inbox.ts';
import { stateView } from './state-view.ts';
import { isStepName, readStep, stepDescription, stepNames, type StepName, type StepViolation } from './step.ts';
import { StepError, type StepPlayer } from './step-player.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Bytes of a request to the control API; steps are small. */
const maxBodyBytes = 1_048_576;

const statusOf: Readonly<Record<StepError['code'], number>> = { not_found: 404, not_possible: 409, not_seen: 408 };

/**
 * The control API: actions of customers and the team, and time, for tests in any language. POST to the name of a step
 * (`specs/schemas/scenario.schema.json`) plays it and answers when its effects are complete. `GET /state` shows the
 * inbox, `GET /events?since=SEQ` the log, `POST /stop` ends the service if its owner allows it. It needs no key: its
 * address cannot be guessed.
 */
export class Control {
  /** Prefix of the path of every address, without a trailing slash. */
  readonly prefix = `/control/${randomBytes(16).toString('hex')}`;
  readonly #app: FastifyInstance;

  /** `onStop` is called once the answer to `POST /stop` has been sent; without it the address does not exist. */
  constructor(inbox: ServiceInbox, player: StepPlayer, onStop?: () => void) {
    this.#app = this.#build(inbox, player, onStop);
  }

  /** Must resolve before the first request. */
  async ready(): Promise<void> {
    await this.#app.ready();
  }

  /** Whether a path, with or without a query, belongs to the control API. */
  owns(path: string): boolean {
    return path === this.prefix || path.startsWith(`${this.prefix}/`) || path.startsWith(`${this.prefix}?`);
  }

  /** Answers a request to one of its addresses. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#app.routing(request, response);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app.close();
  }

  #build(inbox: ServiceInbox, player: StepPlayer, onStop: (() => void) | undefined): FastifyInstance {
    const app = fastify({ bodyLimit: maxBodyBytes, exposeHeadRoutes: false });
    // The address may have become known to a page of another site, which must not trigger deliveries.
    app.addHook('onRequest', (request, _, done) => {
      const isForeign = isFromOtherSite(request.raw, [new URL(inbox.baseUrl()).host]);
      done(
        isForeign ? new ControlFault('forbidden', 403, 'The request comes from a page of another site.') : undefined,
      );
    });
    app.removeAllContentTypeParsers();
    // Bodies are JSON, whatever Content-Type a client sends (curl sends that of a form).
    app.addContentTypeParser('*', { parseAs: 'string' }, (_, text, done) => {
      if (text === '') return done(null, {});
      const read = readBoundedJson(Buffer.from(text), fileBounds);
      if ('value' in read) return done(null, read.value);
      const { unread, error, cause = error } = read;
      const why = unread ? `expected a step, received ${error}` : `The body is not JSON: ${cause}`;
      done(new ControlFault('invalid_step', 400, `${why}.`));
    });
    // Events too: a secret may have become known after they were logged.
    app.addHook('onSend', (_, _reply, payload, done) => {
      if (typeof payload !== 'string' || payload === '') return done(null, payload);
      done(null, JSON.stringify(withoutSecrets(inbox.workspace, JSON.parse(payload) as unknown)));
    });
    app.setErrorHandler((error: FastifyError, _, reply) => answerError(error, reply));
    app.setNotFoundHandler((_, reply) =>
      problem(reply, 'not_found', 404, `There is nothing at this address; the control API has ${addresses}.`),
    );
    app.register(
      async (routes) => {
        routes.get('/', () => ({
          steps: Object.fromEntries(stepNames.map((name) => [name, stepDescription(name)])),
          state: 'GET /state',
          events: 'GET /events?since=SEQ',
          ...(onStop && { stop: 'POST /stop' }),
        }));
        if (onStop) {
          routes.post('/stop', (_, reply) => {
            reply.raw.once('close', onStop);
            return { stops: true };
          });
        }
        routes.get('/state', () => stateView(inbox));
        routes.get<{ Querystring: Record<string, unknown> }>('/events', ({ query }) => {
          const since = sinceOf(query);
          return { seq: player.seq, events: inbox.events.kept.filter(({ seq }) => seq > since) };
        });
        routes.post<{ Params: { step: string } }>('/:step', async ({ params, body }, reply) => {
          const { step: name } = params;
          if (!isStepName(name)) return noSuchStep(reply, name);
          const read = readStep(name, body ?? {});
          if ('violations' in read) return answerViolations(reply, name, read.violations);
          return await player.play(read.step);
        });
        for (const [url, allow] of [
          ['/', 'GET'],
          ['/state', 'GET'],
          ['/events', 'GET'],
          ...(onStop ? ([['/stop', 'POST']] as const) : []),
          ['/:step', 'POST'],
        ] as const) {
          routes.route<{ Params: { step?: string } }>({
            method: ['GET', 'PUT', 'PATCH', 'DELETE', 'POST'].filter((method) => method !== allow),
            url,
            handler: ({ params: { step } }, reply) => {
              if (step !== undefined && !isStepName(step)) return noSuchStep(reply, step);
              return problem(reply.header('Allow', allow), 'method_not_allowed', 405, `Use ${allow} here.`);
            },
          });
        }
      },
      { prefix: this.prefix },
    );
    return app;
  }
}

const addresses = 'POST /<step>, GET /state, GET /events?since=SEQ and GET / for the list of steps';

/** A fault of a request to the control API. */
class ControlFault extends Error {
  readonly code: string;
  readonly statusCode: number;

  constructor(code: string, statusCode: number, message: string) {
    super(message);
    this.code = code;
    this.statusCode = statusCode;
  }
}

function sinceOf(query: Record<string, unknown>): number {
  const unknown = Object.keys(query).find((name) => name !== 'since');
  if (unknown !== undefined) {
    throw new ControlFault('invalid_query', 400, `expected only the parameter since, received ${unknown}`);
  }
  const { since = '0' } = query;
  if (typeof since !== 'string' || !/^\d{1,15}$/.test(since)) {
    throw new ControlFault('invalid_query', 400, `since: expected a whole number, received ${JSON.stringify(since)}`);
  }
  return Number(since);
}

function noSuchStep(reply: FastifyReply, name: string): FastifyReply {
  return problem(
    reply,
    'not_found',
    404,
    `There is no step ${name}; there are ${stepNames.join(', ')}.${suggestion(name, stepNames)}`,
  );
}

function answerViolations(reply: FastifyReply, name: StepName, violations: readonly StepViolation[]): FastifyReply {
  const lines = violations.map(({ pointer, expected, received }) => {
    const path = [name, ...pointer.split('/').slice(1)].join('.');
    return `${path}: expected ${expected}, received ${received}`;
  });
  const shown = violations.map(({ pointer, expected, received }) => ({ pointer, expected, received }));
  return problem(reply, 'invalid_step', 400, lines.join('; '), { violations: shown });
}

function answerError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof Problem) return problem(reply, error.code, error.status, error.message);
  if (error instanceof StepError) return problem(reply, error.code, statusOf[error.code], error.message);
  if (error instanceof ControlFault) return problem(reply, error.code, error.statusCode, error.message);
  const { statusCode = 500, message } = error as Partial<FastifyError>;
  if (statusCode === 413) {
    return problem(reply, 'payload_too_large', 413, `The body is larger than ${maxBodyBytes} bytes.`);
  }
  const title = statusCode < 500 ? 'invalid_request' : 'internal_error';
  return problem(reply, title, statusCode, message ?? String(error));
}

function problem(
  reply: FastifyReply,
  title: string,
  status: number,
  detail: string,
  more: Record<string, unknown> = {},
): FastifyReply {
  return reply
    .code(status)
    .type('application/problem+json')
    .send(JSON.stringify({ type: 'about:blank', title, status, detail, ...more }));
}
