import { isJsonObject, parseJson } from '../../harness/checks/json.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import type { Case, Connection } from '../connection.ts';
import { Effects, isOfState, type ObservedEffects, type Growth } from './effects.ts';

/** How a delivery that came before was taken when it came again. */
export type Repeated = 'no effect' | 'the same effect' | 'unclear';

/** Sends events once and again, and compares what they bring about. */
export class DeduplicationProber {
  readonly connection: Connection;
  readonly seen: string[] = [];
  /** What one delivery adds, by place. */
  reference: Growth = new Map();
  readonly #effects: Effects;
  /** Places of the state that list what arrived. */
  readonly #lists = new Set<string>();

  constructor(connection: Connection) {
    this.connection = connection;
    this.#effects = new Effects(connection);
  }

  /** Sends these at the same moment. `what` completes "… brought …". `undefined` when effects cannot be told. */
  async send(what: string, made: Case, ...deliveries: SignedDelivery[]): Promise<ObservedEffects | undefined> {
    const all = deliveries.length === 0 ? [made.delivery] : deliveries;
    const brought = await this.#effects.of(made.box, () =>
      Promise.all(all.map((delivery) => this.connection.ask(delivery, { label: what }))),
    );
    this.seen.push(
      brought
        ? `${capital(what)} was ${answersOf(brought)} and brought ${shown(this.#apartFromLists(brought.growth))}.`
        : `${capital(what)}: the state grows by itself, so effects cannot be told.`,
    );
    return brought;
  }

  /** Whether a different event had any effect. */
  hasEffect({ growth }: ObservedEffects): boolean {
    return this.#apartFromLists(growth).size > 0;
  }

  /**
   * How a delivery that came before was taken when it came again. A place of the state that grows then where others do
   * not is a list of arrivals, and is not looked at from now on.
   */
  repeated({ growth }: ObservedEffects): Repeated {
    const places = [...this.reference.keys()].filter((place) => !this.#lists.has(place));
    const again = places.filter((place) => growth.has(place));
    if (again.length === 0) return 'no effect';
    if (again.length === places.length || again.some((place) => !isOfState(place))) return 'the same effect';
    for (const place of again) this.#lists.add(place);
    return 'no effect';
  }

  /** Whether two at once added more than one of them does. */
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

/** The ids that an answer of the CRM webhook brings; `undefined` when it brings no data. */
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
  if (growth.size === 0) return 'nothing that can be seen';
  return [...growth].map(([place, more]) => `${more} more at ${place}`).join(', ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
