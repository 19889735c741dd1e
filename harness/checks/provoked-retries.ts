import { setTimeout as delay } from 'node:timers/promises';
import { matchOperation, type OperationId } from '../../specs/api-operations.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { crmEventTypes } from '../../specs/crm-event-types.ts';
import type { ApiExchangeRecord, ApiTrouble } from '../../service/api/install-recording.ts';
import type { ClientTraffic, TroubleKind } from '../client/api-exchange.ts';
import { clientExchange } from '../client/client-exchange.ts';
import { subscribedTypes } from '../config/subscribed-types.ts';
import { isSuccess } from '../wire/answer-status.ts';
import { header } from '../wire/observation.ts';
import { CheckRecord, withRecord } from './check-record.ts';
import { HarnessFault } from './faults.ts';
import { parseJson } from './json.ts';
import type { Session } from './session.ts';

/** Operations whose repetition a client can mark: by an Idempotency-Key or an externalId (interface: Limits, API v1). */
const repeatable: readonly (OperationId | undefined)[] = ['sendMessage', 'addNote', 'runSkill', 'logMessage'];
/** Seconds of Retry-After: long enough to detect a client that waits, short enough for a run. */
const retryAfterSeconds = 1;
/** The failures, each of one request. */
const failures: readonly { kind: TroubleKind; trouble: ApiTrouble; pauseMs: number }[] = [
  { kind: 'unavailable', trouble: { kind: 'answer-instead', status: 503 }, pauseMs: 0 },
  {
    kind: 'throttled',
    trouble: { kind: 'answer-instead', status: 429, code: 'rate_limited', retryAfterSeconds },
    pauseMs: retryAfterSeconds * 1000,
  },
  { kind: 'cut', trouble: { kind: 'cut-after' }, pauseMs: 0 },
];
/** Milliseconds from an answer in which the endpoint begins to act on an event. */
const actingMs = 1_000;
/** Milliseconds for finding an event on which the endpoint acts. */
const searchingMs = 8_000;
/** Events that are sent at once while it is searched for, or more if the endpoint is known to handle more. */
const leastAtOnce = 10;

const provoked = new WeakMap<Session, Promise<readonly ClientTraffic[]>>();

/**
 * The requests of the endpoint after one of its requests to API v1 failed on purpose: 503 once, 429 with Retry-After
 * once, a connection cut after processing once. Each failure has its own event, with no other traffic, so that a
 * repetition can only be a retry. Nothing is sent unless the endpoint has written something through API v1 before, and
 * with `--no-trouble`.
 */
export function provokedRetries(session: Session): Promise<readonly ClientTraffic[]> {
  let traffic = provoked.get(session);
  if (!traffic) provoked.set(session, (traffic = provoke(session)));
  return traffic;
}

async function provoke(session: Session): Promise<readonly ClientTraffic[]> {
  const { client, inbox, settings } = session;
  const hasWritten = client.observed(inbox).exchanges.some(({ request, path, response }) => {
    const matched = matchOperation(request.method, path.split('?', 1)[0] ?? '');
    return matched && 'id' in matched && repeatable.includes(matched.id) && isSuccess(response.status);
  });
  if (settings.withoutTrouble === true || !hasWritten) return [];
  // Not evidence of the check that happens to be first.
  const record = new CheckRecord();
  return await withRecord(record, () =>
    session.alone(async () => {
      record.alone = true;
      using watch = new Watch(session);
      try {
        const send = await actedOn(session, watch);
        return send ? await failEach(session, watch, send) : [];
      } catch (error) {
        // An endpoint that is gone by now gave nothing to judge here.
        if (error instanceof HarnessFault) return [];
        throw error;
      } finally {
        inbox.apiTrouble = undefined;
      }
    }),
  );
}

type Send = () => Promise<unknown>;

/** Sends events of one type, each with new ids. */
interface Sender {
  send: Send;
  /** The event that was sent last, as JSON. */
  latest: string;
}

function senders({ settings: { config }, crm, hooks, chat, sample }: Session): Sender[] {
  const label = 'an event, to see what it causes at API v1';
  const senderOf = <Event>(create: () => Event, deliver: (event: Event) => Promise<unknown>): Sender => {
    const sender: Sender = {
      latest: '',
      send: () => {
        const event = create();
        sender.latest = JSON.stringify(event);
        return deliver(event);
      },
    };
    return sender;
  };
  const ofCrm = crmEventTypes.map((type) =>
    senderOf(
      () => sample.crmEvent(type),
      (event) => crm.deliver(event, { label }),
    ),
  );
  const ofHooks = subscribedTypes(config).map((type) =>
    senderOf(
      () => sample.apiWebhookEvent(type),
      (event) => hooks.post(hooks.sign(event), { label }),
    ),
  );
  const ofChat = senderOf(
    () => sample.messageReceived(),
    (event) => chat.deliver(chat.open(event), { label }),
  );
  return [
    ...(config.crmWebhook ? ofCrm : []),
    ...(config.apiWebhooks ? ofHooks : []),
    ...(config.chat ? [ofChat] : []),
  ];
}

/**
 * An event after which the endpoint writes something, found by sending all of them; none that writes the same twice. What
 * is written usually names what the event is about. If it does not, halves of those left are sent until one is left.
 */
async function actedOn(session: Session, watch: Watch): Promise<Send | undefined> {
  const until = performance.now() + searchingMs;
  const { quietMs, config } = session.settings;
  const urls = [config.crmWebhook, config.apiWebhooks, config.chat].flatMap((surface) => surface?.url ?? []);
  const atOnce = Math.max(leastAtOnce, Math.min(...urls.map((url) => session.paceOf(url).most)));
  const written = async (sends: readonly Sender[]) => {
    const from = watch.count;
    for (let at = 0; at < sends.length && performance.now() < until; at += atOnce) {
      await Promise.all(sends.slice(at, at + atOnce).map(({ send }) => send()));
    }
    // The endpoint may still work on events that were sent at the same time.
    let known = 0;
    while (await watch.until(() => watch.written(from).length > known, known === 0 ? actingMs : quietMs)) {
      known = watch.written(from).length;
      if (performance.now() > until) break;
    }
    return watch.written(from);
  };
  const all = senders(session);
  const causedBy = (record: ApiExchangeRecord) => {
    const subjects = subjectsOf(record);
    const possible = all.filter(({ latest }) => subjects.some((subject) => namesNumber(latest, subject)));
    return possible.length === 1 ? possible : [];
  };
  const first = await written(all);
  if (first.length === 0) return undefined;
  const named = first.flatMap(causedBy).slice(0, 1);
  let confirmed = named.length > 0 ? await written(named) : [];
  let left = named;
  if (confirmed.length === 0) {
    left = all;
    while (left.length > 1) {
      const half = left.slice(0, Math.ceil(left.length / 2));
      left = (await written(half)).length > 0 ? half : left.slice(half.length);
    }
    confirmed = await written(left);
  }
  const bodies = confirmed.map(contentOf);
  return bodies.length > 0 && new Set(bodies).size === bodies.length ? left[0]?.send : undefined;
}

/** The ids and the phone number of whom a request to API v1 is about. */
function subjectsOf({ url, body }: ApiExchangeRecord): string[] {
  const parsed = parseJson(body);
  const { projectId, contactId, phone } = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {};
  const inPath = /\/v1\/(?:projects|contacts)\/([^/?]+)/.exec(url)?.[1];
  return [projectId, contactId, phone, inPath].flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
}

/** Whether a number, or a phone number, occurs in an event as a whole. */
function namesNumber(event: string, subject: string): boolean {
  return event.split(/[^+\w]+/).includes(subject);
}

async function failEach(session: Session, watch: Watch, send: Send): Promise<ClientTraffic[]> {
  const { inbox, client, settings } = session;
  // With one event at a time, the same key means the same request.
  const { isObserved: _, ...context } = client.observed(inbox);
  const found: ClientTraffic[] = [];
  for (const { kind, trouble, pauseMs } of failures) {
    let failedAt: number | undefined;
    inbox.apiTrouble = ({ operation, at }) => {
      if (failedAt !== undefined || !repeatable.includes(operation)) return undefined;
      failedAt = at;
      return trouble;
    };
    const from = watch.count;
    await send();
    await watch.until(() => watch.since(from).some(({ at }) => at === failedAt), actingMs);
    inbox.apiTrouble = undefined;
    const failed = watch.since(from).find(({ at }) => at === failedAt);
    if (!failed) continue;
    const isRetried = () => watch.since(from).some((record) => record !== failed && isAgain(record, failed));
    if (await watch.until(isRetried, settings.retryWatchMs + pauseMs)) await delay(settings.quietMs);
    const met = new Map([[failed.at, kind]]);
    const exchanges = watch
      .since(from)
      .map((record) => clientExchange(record, inbox.service.baseUrl, 'troubled', met))
      .map((exchange) => ({ ...exchange, label: `${exchange.label}, sent by the endpoint after a failure of API v1` }))
      .toSorted((a, b) => a.at - b.at);
    found.push({ ...context, exchanges });
  }
  return found;
}

/** The requests that arrive from now on. */
class Watch {
  readonly #records: ApiExchangeRecord[] = [];
  readonly #watching: Disposable;
  #next = Promise.withResolvers<void>();

  constructor({ inbox }: Session) {
    this.#watching = inbox.watchApi((record) => {
      this.#records.push(record);
      this.#next.resolve();
      this.#next = Promise.withResolvers();
    });
  }

  get count(): number {
    return this.#records.length;
  }

  since(count: number): readonly ApiExchangeRecord[] {
    return this.#records.slice(count);
  }

  /** Accepted requests whose repetition can be marked. */
  written(since: number): readonly ApiExchangeRecord[] {
    return this.since(since).filter(
      ({ operation, response }) => repeatable.includes(operation) && response !== 'cut' && isSuccess(response.status),
    );
  }

  /** Waits for a condition. Returns whether it came true in time. */
  async until(condition: () => boolean, ms: number): Promise<boolean> {
    const end = performance.now() + ms;
    while (!condition()) {
      const leftMs = end - performance.now();
      if (leftMs <= 0) return false;
      const timer = new AbortController();
      await Promise.race([
        this.#next.promise,
        delay(leftMs, undefined, { signal: timer.signal }).catch(() => undefined),
      ]);
      timer.abort();
    }
    return true;
  }

  [Symbol.dispose](): void {
    this.#watching[Symbol.dispose]();
  }
}

function contentOf({ method, url, body }: ApiExchangeRecord): string {
  return `${method} ${url} ${Buffer.from(body).toString()}`;
}

/** Whether a request may be the retry of another one: the same content or the same name. */
function isAgain(record: ApiExchangeRecord, failed: ApiExchangeRecord): boolean {
  const [key, ofFailed] = [record, failed].map((one) => header(one, 'idempotency-key'));
  return contentOf(record) === contentOf(failed) || (key !== undefined && key === ofFailed);
}
