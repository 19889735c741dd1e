import type { OperationId } from '../specs/api-operations.ts';
import { shortJson } from '../specs/explain-violations.ts';
import type { ConsumerInteraction } from './consumer-contract.ts';
import { fieldName, type ContractFinding } from './contract-finding.ts';
import type { ComparatorResult } from './document-findings.ts';
import { openField, openUnknownField } from './not-shown-rules.ts';
import { isMatched, fieldOf } from './pact-matchers.ts';
import { omitAdvice, kindAndAdvice } from './kind-and-advice.ts';
import type { JsonValue } from '../specs/json-value.ts';
import { formatPointer, unescapeSegment } from '../specs/json-pointer.ts';

/** One complaint of the comparator about a body. */
interface Fault {
  readonly keyword: string;
  readonly steps: readonly (string | number)[];
  readonly words: string;
  readonly value: unknown;
}

/** Differences between the body that an interaction expects and the document. */
export function bodyFindings(
  { index, response }: ConsumerInteraction,
  id: OperationId | undefined,
  status: number,
  results: readonly ComparatorResult[],
): ContractFinding[] {
  const faults = results.map((result) => faultOf(result, response.body));
  const pointer = `/interactions/${index}${response.bodyPointer}`;
  const isExample = ({ keyword, steps }: Fault) =>
    keyword !== 'type' && keyword !== 'additionalProperties' && isMatched(response.matchers, steps);
  const found: ContractFinding[] = [];
  const add = ({ steps, value, words }: Fault, isNote: boolean) => {
    const assumption = id === undefined || isNote ? undefined : openField(id, status, steps);
    found.push({
      ...kindAndAdvice(
        assumption,
        isNote ? 'note' : 'not-provided',
        isNote ? exampleAdvice : 'Expect the value in the document, or match it by type.',
      ),
      place: 'response-body',
      pointer: pointer + formatPointer(steps),
      expected: `${fieldName(steps)}: ${shortJson(value)}`,
      received: `the document says: ${words}`,
    });
  };
  // If none of several forms matches, the faults of all of them are reported as one.
  const forms = faults.filter(({ keyword }) => keyword === 'anyOf');
  const isBelow = (fault: Fault, form: Fault) => form.steps.every((step, at) => step === fault.steps[at]);
  for (const form of forms) {
    const inner = faults.filter((fault) => fault.keyword !== 'anyOf' && isBelow(fault, form));
    const words = [...new Set(inner.map((fault) => fault.words))].join(', or ');
    add({ ...form, words: `no form matches: ${words}` }, inner.every(isExample));
  }
  for (const fault of faults) {
    if (forms.some((form) => isBelow(fault, form))) continue;
    if (fault.keyword !== 'additionalProperties') {
      add(fault, isExample(fault));
      continue;
    }
    const steps = [...fault.steps, fault.words.replace(/^.*? - /s, '')];
    const assumption = id === undefined ? undefined : openUnknownField(id, status, steps);
    const { advice, ...kind } = kindAndAdvice(assumption, 'not-in-document', omitAdvice);
    found.push({
      ...kind,
      place: 'response-body',
      pointer: pointer + formatPointer(steps),
      expected: `the field ${fieldName(steps)}`,
      received: 'the document has no such field',
      advice: status < 400 ? advice : `The code of an error is its title. ${advice}`,
    });
  }
  return found;
}

const exampleAdvice = 'Only the example differs: the matcher decides. Change it to a value that the service sends.';

function faultOf({ message, mockDetails, specDetails }: ComparatorResult, body: JsonValue | undefined): Fault {
  return {
    keyword: specDetails?.location.split('.').at(-1) ?? '',
    steps: stepsOfLocation(mockDetails?.location ?? '', body),
    words: message.replace(/^.*schema in the spec file: /, ''),
    value: mockDetails?.value,
  };
}

/**
 * Position in the body of a result such as `….response.body.a.0.b`. A name with a dot in it is resolved with the body.
 */
function stepsOfLocation(location: string, body: JsonValue | undefined): (string | number)[] {
  const names = location.split('.response.body').slice(1).join('.response.body').split('.').slice(1);
  const steps: (string | number)[] = [];
  let value: unknown = body;
  for (let at = 0; at < names.length; at++) {
    let name = unescapeSegment(names[at] ?? '');
    while (!Array.isArray(value) && fieldOf(value, name) === undefined && at + 1 < names.length)
      name += `.${names[++at]}`;
    steps.push(Array.isArray(value) ? Number(name) : name);
    value = Array.isArray(value) ? (value as unknown[])[Number(name)] : fieldOf(value, name);
  }
  return steps;
}
