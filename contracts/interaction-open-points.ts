import type { ApiStateName } from '../generators/contracts/api-state-names.ts';
import { apiOperation, type OperationId } from '../specs/api-operations.ts';
import { problems, type ProblemCode } from '../specs/api-problems.ts';
import type { AssumptionId } from '../specs/assumptions.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { operationProblems } from '../specs/open-api-document.ts';
import { requestedStates } from './api-states.ts';
import type { ConsumerInteraction } from './consumer-contract.ts';
import type { ContractFinding } from './contract-finding.ts';
import { openCode, openForm, openField, openStatus } from './not-shown-rules.ts';
import { openAdvice } from './kind-and-advice.ts';
import { comparesForm, isMatched, fieldOf } from './pact-matchers.ts';
import type { OpenPoint } from './open-point.ts';
import { requestOpenPoints } from './request-open-points.ts';
import { isJsonContainer } from '../specs/json-object.ts';
import { formatPointer } from '../specs/json-pointer.ts';

/** Points of an interaction that are in the document although the interface leaves them open; each only once. */
export function interactionOpenPoints(
  interaction: ConsumerInteraction,
  id: OperationId,
  status: number,
): ContractFinding[] {
  const found = [...answerOpenPoints(interaction, id, status), ...requestOpenPoints(interaction, id, status)];
  const first = found.filter((rest, at) => found.findIndex((one) => one.assumption === rest.assumption) === at);
  return first.map(({ pointer, assumption, ...rest }) => ({
    kind: 'not-shown',
    ...rest,
    pointer: `/interactions/${interaction.index}${pointer}`,
    received: 'the interface leaves it open',
    assumption,
    advice: openAdvice(assumption),
  }));
}

function answerOpenPoints(interaction: ConsumerInteraction, id: OperationId, status: number): OpenPoint[] {
  const { body, bodyPointer, matchers } = interaction.response;
  const points: OpenPoint[] = [];
  const add = (assumption: AssumptionId | undefined, rest: Omit<OpenPoint, 'assumption'>) => {
    if (assumption !== undefined) points.push({ assumption, ...rest });
  };
  const title = status >= 400 ? fieldOf(body, 'title') : undefined;
  const exact = typeof title === 'string' && !isMatched(matchers, ['title']) ? title : undefined;
  const code = exact ?? codeOfStates(interaction, id, status);
  const words = exact === undefined ? `status ${status}` : `status ${status} with the code ${shortJson(exact)}`;
  const ofStatus = { place: 'status', pointer: '/response/status', expected: words } as const;
  add(openStatus(id, status, code), ofStatus);
  if (title !== undefined) {
    const pointer = `${bodyPointer}/title`;
    add(openCode(id, status, code), { place: 'response-body', pointer, expected: `the code ${shortJson(title)}` });
  }
  for (const { steps, value } of fields(body)) {
    const field = { place: 'response-body', pointer: bodyPointer + formatPointer(steps) } as const;
    const name = steps.join('.');
    add(openField(id, status, steps), { ...field, expected: `the field ${name}` });
    if (status < 400 && value !== null && comparesForm(matchers, steps))
      add(openForm(id, steps), { ...field, expected: `the form of ${name}` });
  }
  for (const assumption of outcomeOpenPoints(interaction, id, status))
    add(assumption, { place: 'response-body', pointer: bodyPointer, expected: shortJson(body) });
  return points;
}

/** Codes of statuses for which an operation has several, by the state that leads to them. */
const stateCodes: Readonly<Partial<Record<ApiStateName, ProblemCode>>> = {
  'no such contact': 'not_found',
  'no such project': 'project_not_found',
  'the contact cannot be reached': 'not_deliverable',
  'the Idempotency-Key was used for another request': 'idempotency_key_reused',
  'a request with the Idempotency-Key is being processed': 'idempotency_key_in_use',
};

function codeOfStates({ states }: ConsumerInteraction, id: OperationId, status: number): ProblemCode | undefined {
  const known = operationProblems(apiOperation(id)).filter((code) => problems[code].status === status);
  return requestedStates(states)
    .map(({ name }) => stateCodes[name])
    .find((code) => code !== undefined && known.includes(code));
}

/** Values of an answer that depend on the request in a way that the interface does not specify. */
function outcomeOpenPoints(
  { request, response: { body } }: ConsumerInteraction,
  id: OperationId,
  status: number,
): AssumptionId[] {
  if (status >= 300) return [];
  const sent = (name: string) => fieldOf(request.body, name);
  const got = (name: string) => fieldOf(body, name);
  const found: AssumptionId[] = [];
  const isConfirmed = sent('confirmed') === true;
  if (id === 'createAppointment' && !isConfirmed && got('businessConfirmedAt') !== undefined)
    found.push('appointment-business-confirmation');
  if (
    id === 'createAppointment' &&
    ['externalId', 'metadata'].some((name) => sent(name) === undefined && got(name) !== undefined)
  )
    found.push('appointment-external-id');
  if (id === 'changeAppointment' && !isConfirmed && got('status') !== undefined) found.push('appointment-statuses');
  if (id === 'runSkill' && got('reason') === 'pending-approval') found.push('skill-pending-approval');
  if (id === 'sendAgentReply' && got('status') !== undefined) {
    const hasText = (sent('text') ?? '') !== '';
    if (hasText && sent('action') === 'handover') found.push('status-after-two-actions');
    const isPlain = sent('executeSkills') === undefined && sent('note') === undefined;
    if (!hasText && !isPlain && sent('action') !== 'handover') found.push('skills-and-reply-status');
  }
  return found;
}

interface InteractionField {
  readonly steps: readonly (string | number)[];
  readonly value: unknown;
}

/** Every field of a value; for a list only those of its first item. */
function fields(value: unknown, steps: InteractionField['steps'] = []): InteractionField[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : fields(value[0], [...steps, 0]);
  if (!isJsonContainer(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = [...steps, name];
    return [{ steps: at, value: inner }, ...fields(inner, at)];
  });
}
