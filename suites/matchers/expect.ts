import { expect } from 'vitest';
import { currentRecord } from '../../harness/check-record.ts';
import { FindingError, type Finding } from '../../harness/finding.ts';
import type { Arrival, Observation } from '../../harness/observation.ts';
import * as answers from './answer-matchers.ts';
import { requestText } from './describe-answer.ts';

type AnswerMatchers = typeof answers;
type WithoutReceived<F> = F extends (received: Observation, ...rest: infer R) => unknown ? (...rest: R) => void : never;
type ConformanceMatchers = { [K in keyof AnswerMatchers]: WithoutReceived<AnswerMatchers[K]> };

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars
  interface Matchers<R extends void | Promise<void>, T = unknown> extends ConformanceMatchers {}
}

expect.extend(
  Object.fromEntries(
    Object.entries(answers).map(([name, judge]) => [
      name,
      (received: Observation, ...rest: unknown[]) => {
        const finding = (judge as (received: Observation, ...rest: unknown[]) => Finding | undefined)(
          received,
          ...rest,
        );
        const message = book(received, finding);
        return { pass: finding === undefined, message: () => message };
      },
    ]),
  ),
);

export { expect };

/** Books one judgement of one exchange to the running check; a finding gets the exchange into its message. */
function book(exchange: Observation | Arrival, finding: Finding | undefined): string {
  const record = currentRecord();
  if (record) record.judged++;
  record?.keep(exchange);
  if (!finding) return '';
  record?.decideBy(exchange);
  const where = exchange.kind === 'http' ? requestText(exchange) : `${exchange.request.method} ${exchange.request.url}`;
  const whole = { ...finding, received: `${finding.received} to ${where}` };
  if (record) record.finding = whole;
  return new FindingError(whole).message;
}

/**
 * Books what a judge found about one exchange: `undefined` holds, a finding ends the check. For judgements that are
 * about more than one answer, where `expect` has no place.
 */
export function conclude(exchange: Observation | Arrival, finding: Finding | undefined): void {
  const record = currentRecord();
  if (record) record.judged++;
  record?.keep(exchange);
  if (!finding) return;
  record?.decideBy(exchange);
  throw new FindingError(finding);
}
