import { HarnessFault } from './faults.ts';
import { jsonBounds } from '../../specs/bounded-json.ts';
import { parseJson } from './json.ts';
import type { Session } from './session.ts';

/** Timeout of the state address in milliseconds. */
const probeTimeoutMs = 5_000;

/** A state lists everything that the endpoint has stored, which may be many times the size of an event. */
const stateBounds = { ...jsonBounds, values: 200_000 };

/** Fetches the endpoint's state from the `observe` address. */
export class StateProbe {
  readonly #session: Session;
  readonly #url: string;

  constructor(session: Session, url: string) {
    this.#session = session;
    this.#url = url;
  }

  /** The state as JSON. Throws {@link HarnessFault} `observe-failed` when the address does not return any. */
  async read(label: string): Promise<unknown> {
    const { answer } = await this.#session.send(
      () => ({ method: 'GET', url: this.#url, headers: [['Accept', 'application/json']], body: new Uint8Array() }),
      { label, timeoutMs: probeTimeoutMs, maxBodyBytes: 4_194_304 },
    );
    if (answer.outcome !== 'answered' || answer.status !== 200) {
      const received = answer.outcome === 'answered' ? `status ${answer.status}` : answer.outcome;
      throw new HarnessFault('observe-failed:status', { received });
    }
    const body = parseJson(answer.body, stateBounds);
    if ('error' in body) throw new HarnessFault('observe-failed:body', { received: body.error });
    return body.value;
  }
}
