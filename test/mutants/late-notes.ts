import type { CrmEvent } from '../proving/crm.ts';
import type { HookEvent } from '../proving/hooks.ts';
import { setUp } from '../proving/endpoint.ts';
import { send } from '../proving/outgoing.ts';
import { pause } from '../proving/wire.ts';
import { rememberWhileAtWork } from './memories.ts';
import type { Mutant } from './mutant.ts';

/** Milliseconds until a note is written: longer than any check waits after a delivery. */
const afterMs = 900;

/** A queue that writes a note some time after each event that it receives. */
class Queue {
  #origin: string | undefined;

  /** Learns the address of API v1 from an event. */
  learn({ callbackUrl }: CrmEvent): void {
    this.#origin = new URL(callbackUrl).origin;
  }

  async write(projectId: unknown, text: string): Promise<void> {
    await pause(afterMs);
    if (this.#origin === undefined || !Number.isSafeInteger(projectId)) return;
    await send({
      url: `${this.#origin}/v1/notes`,
      method: 'POST',
      headers: { 'X-Api-Key': setUp.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ projectId, text }),
    });
  }
}

const both = ['crm-webhook', 'api-webhooks'] as const;
/** Reason why the checks of the API webhooks need those of the CRM webhook here. */
const addressFromEvents = 'the endpoint learns the address of API v1 from CRM events';
const lateNotes = 'a run of these checks alone may end before the notes come';

const projectOf = ({ projectData }: CrmEvent) => projectData?.['svcProjectId'];
const projectOfAppointment = ({ data }: HookEvent) => data['projectId'];

/** Faults that appear only in requests to API v1 some time after the answer. */
export const lateNoteMutants: readonly Mutant[] = [
  {
    name: 'redelivery-noted-later-again',
    breaks: 'crm-webhook/redelivery-has-one-effect',
    what: 'Each delivery of an event puts a note into a queue, which writes it through API v1 a second later.',
    needsTheRest: lateNotes,
    build: () => {
      const queue = new Queue();
      return {
        crm: {
          once: rememberWhileAtWork(),
          effect: (_, name, event) => {
            queue.learn(event);
            void queue.write(projectOf(event), `${name} was recorded.`);
          },
        },
      };
    },
  },
  {
    name: 'noted-later-with-a-bad-token',
    breaks: 'crm-webhook/refused-event-has-no-effect',
    what: 'Each event is put into a queue before its token is checked, and noted through API v1 a second later.',
    needsTheRest: lateNotes,
    build: () => {
      const queue = new Queue();
      const known = new Set<string>();
      return {
        crm: {
          early: (_, event) => {
            queue.learn(event);
            if (!known.has(event.callbackUrl)) void queue.write(projectOf(event), 'The event was recorded.');
            known.add(event.callbackUrl);
          },
          effect: () => undefined,
        },
      };
    },
  },
  {
    name: 'hook-redelivery-noted-later-again',
    breaks: 'api-webhooks/redelivery-has-one-effect',
    what: 'Each delivery puts a note into a queue, which writes it through API v1 a second later.',
    mayAlso: [
      { id: 'api-webhooks/redelivery-at-once-has-one-effect', why: 'a delivery is forgotten before the other comes' },
    ],
    surfaces: both,
    needsTheRest: addressFromEvents,
    build: () => {
      const queue = new Queue();
      return {
        crm: { effect: (_, __, event) => queue.learn(event) },
        hooks: {
          once: rememberWhileAtWork(),
          effect: (_, event) => void queue.write(projectOfAppointment(event), `${event.type} was recorded.`),
        },
      };
    },
  },
  {
    name: 'hook-noted-later-with-a-bad-signature',
    breaks: 'api-webhooks/refused-delivery-has-no-effect',
    what: 'Each delivery is put into a queue before its signature is verified, and noted through API v1 a second later.',
    surfaces: both,
    needsTheRest: addressFromEvents,
    build: () => {
      const queue = new Queue();
      const known = new Set<string>();
      return {
        crm: { effect: (_, __, event) => queue.learn(event) },
        hooks: {
          early: (_, { headers, body }) => {
            const id = String(headers['x-svc-delivery-id']);
            const event = JSON.parse(body.toString('utf8')) as HookEvent;
            if (!known.has(id)) void queue.write(projectOfAppointment(event), 'The appointment was recorded.');
            known.add(id);
          },
          effect: () => undefined,
        },
      };
    },
  },
];
