import { parseJson } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import type { Connection } from '../connection.ts';
import type { PreparedEvent } from '../prepared-event.ts';
import { Effects, isOfState, type ObservedEffects, type Growth } from './effects.ts';

/** Effect of a repeated delivery. */
export type RepeatEffect = 'no effect' | 'the same effect' | 'unclear';

/** Sends events repeatedly and compares their effects. */
export class DeduplicationProber {
  readonly connection: Connection;
  readonly seen: string[] = [];
  /** Effects of one delivery, by place. */
  reference: Growth = new Map();
  readonly #effects: Effects;
  /** Places of the state that only list arrivals. */
  readonly #lists = new Set<string>();

  constructor(connection: Connection) {
    this.connection = connection;
    this.#effects = new Effects(connection);
  }

  /** Sends these at the same time. `what` completes "… was answered …". `undefined` if effects cannot be determined. */
  async send(what: string, made: PreparedEvent, ...deliveries: SignedDelivery[]): Promise<ObservedEffects | undefined> {
    const all = deliveries.length === 0 ? [made.delivery] : deliveries;
    const effects = await this.#effects.of(made.box, () =>
      Promise.all(all.map((delivery) => this.connection.ask(delivery, { label: what }))),
    );
    this.seen.push(
      effects
        ? `${capital(what)} was ${answersOf(effects)} and had ${shown(this.#apartFromLists(effects.growth))}.`
        : `${capital(what)}: the state grows on its own, so effects cannot be determined.`,
    );
    return effects;
  }

  /** Whether a different event had any effect. */
  hasEffect({ growth }: ObservedEffects): boolean {
    return this.#apartFromLists(growth).size > 0;
  }

  /**
   * Effect of a repeated delivery. A place of the state that grows while the others do not is a list of arrivals and is
   * ignored from then on.
   */
  repeated({ growth }: ObservedEffects): RepeatEffect {
    const places = [...this.reference.keys()].filter((place) => !this.#lists.has(place));
    const again = places.filter((place) => growth.has(place));
    if (again.length === 0) return 'no effect';
    if (again.length === places.length || again.some((place) => !isOfState(place))) return 'the same effect';
    for (const place of again) this.#lists.add(place);
    return 'no effect';
  }

  /** Whether two simultaneous deliveries added more than one delivery does. */
  addedTwice({ growth }: ObservedEffects): boolean {
    return [...this.#apartFromLists(growth)].some(([place, more]) => {
      const once = this.reference.get(place);
      return once !== undefined && more > once;
    });
  }

  #apartFromLists(growth: Growth): Growth {
    return new Map([...growth].filter(([place]) => !this.#lists.has(place)));
  }
}

/** The ids in an answer of the CRM webhook; `undefined` without data. */
export function answeredIds({ answer }: Observation): string | undefined {
  if (answer.outcome !== 'answered' || answer.status !== 200) return undefined;
  const parsed = parseJson(answer.body);
  if (!('value' in parsed) || !isJsonObject(parsed.value)) return undefined;
  const { requestContactUpdate, contactData, requestProjectUpdate, projectData } = parsed.value;
  const parts = [
    ...(requestContactUpdate === true && isJsonObject(contactData)
      ? [`contact ${String(contactData.crmContactId)}`]
      : []),
    ...(requestProjectUpdate === true && isJsonObject(projectData)
      ? [`project ${String(projectData.crmProjectId)}`]
      : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function answersOf({ observations }: ObservedEffects): string {
  const shownAnswers = observations.map(({ answer }) =>
    answer.outcome === 'answered' ? `answered ${answer.status}` : 'not answered',
  );
  return [...new Set(shownAnswers)].join(' and ');
}

function shown(growth: Growth): string {
  if (growth.size === 0) return 'no visible effect';
  return `an effect (${[...growth].map(([place, more]) => `${place}: ${more}`).join(', ')})`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
