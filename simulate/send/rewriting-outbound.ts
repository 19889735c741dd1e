import type {
  CallRequest,
  LiveCall,
  Outbound,
  OutboundAnswer,
  OutboundOptions,
  OutboundRequest,
} from '../../service/outbound.ts';
import { signatureHeader } from '../../specs/signing.ts';
import type { SessionStarted } from '../../specs/generated/types.ts';
import { fileBounds, readBoundedJson } from '../../specs/bounded-json.ts';
import { overrideAt, withOverrides, type Override } from './override.ts';
import { isJsonContainer } from '../../specs/json-object.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** Changes to the requests of the service before they are sent. */
export interface Rewriting {
  overrides: readonly Override[];
  /** Replaces the body, or the first frame of a call. */
  body: Uint8Array | undefined;
  /** Signs the changed body. */
  secret: string | undefined;
}

/**
 * Applies the user's changes to all outgoing requests and signs them again. Headers that repeat a field of the body
 * (interface: Own-AI chat event) are changed with it.
 */
export class RewritingOutbound implements Outbound {
  /** Fields that were added to the events of the service, with a suggestion for a similar one. */
  readonly added = new Map<string, string>();
  readonly #inner: Outbound;
  readonly #rewriting: Rewriting;

  constructor(inner: Outbound, rewriting: Rewriting) {
    this.#inner = inner;
    this.#rewriting = rewriting;
  }

  async post(make: () => OutboundRequest, options: OutboundOptions): Promise<OutboundAnswer & { ms: number }> {
    return await this.#inner.post(() => this.#rewritten(make()), options);
  }

  async call(request: CallRequest): Promise<LiveCall | { failed: string }> {
    // The upgrade has it too, so it must be known before the first frame.
    const callId = overrideAt(this.#rewriting.overrides, 'callId') ?? fieldOf(this.#rewriting.body, 'callId');
    const given = typeof callId === 'string' && isHeaderValue.test(callId) ? callId : request.callId;
    const live = await this.#inner.call({ ...request, callId: given });
    if ('failed' in live) return live;
    return {
      over: live.over,
      start: (started) => live.start(this.#frame(started) as unknown as SessionStarted),
      ask: async (text, asked) => await live.ask(text, asked),
      press: (key) => live.press(key),
      interrupt: () => live.interrupt(),
      end: async () => await live.end(),
    };
  }

  #frame(started: object): Record<string, unknown> {
    const { body } = this.#rewriting;
    const given = body === undefined ? started : parsed(body);
    return this.#set(given) as Record<string, unknown>;
  }

  #set(value: unknown): unknown {
    const { overrides } = this.#rewriting;
    const { value: changed, added } = withOverrides(value, overrides);
    for (const { path, hint } of added) this.added.set(path, hint);
    return changed;
  }

  #rewritten(request: OutboundRequest): OutboundRequest {
    const { overrides, secret } = this.#rewriting;
    if (this.#rewriting.body === undefined && overrides.length === 0) return request;
    const given = this.#rewriting.body ?? request.body;
    const value = parsed(given);
    if (overrides.length > 0 && value === undefined) {
      throw new HarnessFault('override-invalid:body-json');
    }
    const changed = overrides.length > 0 ? this.#set(value) : value;
    // Without --set the file is sent byte for byte.
    const body = overrides.length > 0 ? Buffer.from(JSON.stringify(changed), 'utf8') : given;
    const repeated = repeatedFields(changed);
    return {
      ...request,
      body,
      headers: request.headers.map(([name, old]) => {
        if (name === 'X-Svc-Signature' && secret !== undefined) {
          return [name, signatureHeader({ secret, t: Math.floor(Date.now() / 1000), body })];
        }
        return [name, repeated[name] ?? old];
      }),
    };
  }
}

/** Visible ASCII (RFC 9110, 5.5). */
const isHeaderValue = /^[\x21-\x7e]+$/;

/** Values that the own-AI chat repeats in headers. */
function repeatedFields(value: unknown): Partial<Record<string, string>> {
  const { id, type, protocol } = (isJsonContainer(value) ? value : {}) as Record<string, unknown>;
  const fits = (field: unknown) => (typeof field === 'string' && isHeaderValue.test(field) ? field : undefined);
  // Only ids of chat events begin like this; the id of an appointment event is not its delivery id.
  const deliveryId = typeof id === 'string' && id.startsWith('evt_') ? fits(id) : undefined;
  return { 'X-Svc-Delivery-Id': deliveryId, 'X-Svc-Event': fits(type), 'X-Svc-Agent-Protocol': fits(protocol) };
}

function parsed(bytes: Uint8Array): unknown {
  const read = readBoundedJson(bytes, fileBounds);
  return 'value' in read ? read.value : undefined;
}

function fieldOf(body: Uint8Array | undefined, name: string): unknown {
  const value = body === undefined ? undefined : parsed(body);
  return isJsonContainer(value) ? value[name] : undefined;
}
