import type { OperationId } from '../specs/api-operations.ts';
import type { ApiStateName } from '../generators/contracts/api-state-names.ts';

/** States in which an operation, or every one, is answered with a status. */
interface Lead {
  readonly operations?: readonly OperationId[];
  readonly status: number;
  readonly states: readonly ApiStateName[];
}

const leads: readonly Lead[] = [
  { status: 401, states: ['the API key is not known'] },
  { status: 429, states: ['too many requests were sent'] },
  { operations: ['sendMessage'], status: 403, states: ['the contact has not given marketing consent'] },
  { operations: ['sendMessage'], status: 404, states: ['no such contact'] },
  { operations: ['logMessage', 'addNote'], status: 404, states: ['no such project', 'no such contact'] },
  { operations: ['getTranscript', 'sendAgentReply', 'runSkill'], status: 404, states: ['no such project'] },
  { operations: ['changeAppointment', 'cancelAppointment'], status: 404, states: ['no such appointment'] },
  {
    operations: ['getAgent', 'changeAgent', 'replaceAgentSecret', 'testAgent'],
    status: 404,
    states: ['no such assistant', 'the inbox has no assistant'],
  },
  {
    operations: ['runSkill'],
    status: 409,
    states: [
      'auto-reply is off',
      'auto-reply is paused',
      'no own AI answers the project',
      'the inbox has no assistant',
      'a request with the Idempotency-Key is being processed',
    ],
  },
  {
    operations: ['sendAgentReply'],
    status: 409,
    states: ['no own AI answers the project', 'the inbox has no assistant'],
  },
  {
    operations: ['sendMessage', 'addNote'],
    status: 409,
    states: ['a request with the Idempotency-Key is being processed'],
  },
  {
    operations: ['sendMessage', 'sendAgentReply'],
    status: 422,
    states: ['the contact cannot be reached', 'the inbox has no senders'],
  },
  {
    operations: ['sendMessage', 'addNote', 'runSkill'],
    status: 422,
    states: ['the Idempotency-Key was used for another request'],
  },
  { operations: ['upsertContact'], status: 200, states: ['a contact exists'] },
  { operations: ['logMessage'], status: 200, states: ['a message was logged'] },
  {
    operations: ['getTranscript', 'logMessage', 'addNote'],
    status: 2,
    states: ['a project exists', 'a contact exists'],
  },
  { operations: ['sendAgentReply', 'runSkill'], status: 2, states: ['the own AI answers the project'] },
  { operations: ['sendMessage'], status: 2, states: ['the contact has given marketing consent', 'a contact exists'] },
  {
    operations: ['changeAppointment', 'cancelAppointment'],
    status: 2,
    states: ['an appointment is proposed', 'an appointment is confirmed'],
  },
  {
    operations: ['getAgent', 'changeAgent', 'replaceAgentSecret', 'testAgent'],
    status: 2,
    states: ['an assistant exists'],
  },
];

/** States that lead to a status of an operation, the most likely first. Any success has the same ones. */
export function leadingStates(id: OperationId, status: number): ApiStateName[] {
  return leads
    .filter((lead) => lead.status === status || lead.status === Math.floor(status / 100))
    .filter(({ operations }) => operations === undefined || operations.includes(id))
    .flatMap(({ states }) => states);
}
