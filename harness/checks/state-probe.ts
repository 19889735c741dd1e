import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../wire/observation.ts';
import { HarnessFault } from './faults.ts';
import { jsonBounds } from '../../specs/bounded-json.ts';
import { parseJson } from './json.ts';
import type { Session } from './session.ts';

/** Timeout of the state address in milliseconds. */
const probeTimeoutMs = 5_000;

/** A state that was not read is read again, since reading it has no effect. */
const repetitions = 2;
const pauseMs = 250;

/** A state lists everything that the endpoint has stored, which may be many times the size of an event. */
const stateBounds = { ...jsonBounds, values: 200_000 };

const probes = new WeakMap<Session, StateProbe>();

/** Fetches the endpoint's state from the `observe` address. */
export class StateProbe {
  readonly #session: Session;
  readonly #url: string;
  /** Whether the last read failed after all repetitions, so that more of them would only cost time. */
  #isGivenUp = false;

  constructor(session: Session, url: string) {
    this.#session = session;
    this.#url = url;
  }

  /** The probe of a run: all checks share what it knows of the address. */
  static of(session: Session, url: string): StateProbe {
    let probe = probes.get(session);
    if (!probe) probes.set(session, (probe = new StateProbe(session, url)));
    return probe;
  }

  /** The state as JSON. Throws {@link HarnessFault} `observe-failed` when the address does not return any. */
  async read(label: string): Promise<unknown> {
    let answer = await this.#fetch(label);
    for (let repeated = 0; isTransient(answer) && !this.#isGivenUp && repeated < repetitions; repeated++) {
      await delay(pauseMs);
      answer = await this.#fetch(`${label}, once more`, label);
    }
    this.#isGivenUp = isTransient(answer);
    if (answer.outcome !== 'answered' || answer.status !== 200) {
      const received = answer.outcome === 'answered' ? `status ${answer.status}` : answer.outcome;
      throw new HarnessFault('observe-failed:status', { received });
    }
    const body = parseJson(answer.body, stateBounds);
    if ('error' in body) throw new HarnessFault('observe-failed:body', { received: body.error });
    return body.value;
  }

  async #fetch(label: string, kind = label): Promise<Answer> {
    const { answer } = await this.#session.send(
      () => ({ method: 'GET', url: this.#url, headers: [['Accept', 'application/json']], body: new Uint8Array() }),
      { label, kind, timeoutMs: probeTimeoutMs, maxBodyBytes: 4_194_304 },
    );
    return answer;
  }
}

/** Whether the reason may have passed a moment later: no answer, an interrupted one, or one of a busy server. */
function isTransient(answer: Answer): boolean {
  return answer.outcome !== 'answered' || answer.status === 429 || answer.status >= 500;
}
