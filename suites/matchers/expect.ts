import { expect } from 'vitest';
import { currentRecord } from '../../harness/checks/check-record.ts';
import { FindingError, type Finding } from '../../harness/checks/finding.ts';
import type { CallObservation, Observation, WireExchange } from '../../harness/wire/observation.ts';
import * as answers from './answer-matchers.ts';
import * as calls from './call-matchers.ts';
import { describeExchange } from './describe-answer.ts';
import { stopFinding } from './endpoint-stop.ts';

const matchers = { ...pick(answers), ...pick(calls) };

type AllMatchers = typeof answers & typeof calls;
type WithoutReceived<F> = F extends (received: infer T, ...rest: infer R) => Finding | undefined
  ? T extends Observation | CallObservation
    ? (...rest: R) => void
    : never
  : never;
type ConformanceMatchers = {
  [K in keyof AllMatchers as K extends `to${string}` ? K : never]: WithoutReceived<AllMatchers[K]>;
};

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars
  interface Matchers<R extends void | Promise<void>, T = unknown> extends ConformanceMatchers {}
}

expect.extend(
  Object.fromEntries(
    Object.entries(matchers).map(([name, judge]) => [
      name,
      (received: Observation | CallObservation, ...rest: unknown[]) => {
        const finding =
          stopFinding(received) ??
          (judge as (received: Observation | CallObservation, ...rest: unknown[]) => Finding | undefined)(
            received,
            ...rest,
          );
        const message = book(received, finding);
        // Used only when a custom suite negates the matcher with `not`.
        const turned = () => `expected not ${labelMatcher(name)}, received exactly that ${describeExchange(received)}`;
        return { pass: finding === undefined, message: finding ? () => message : turned };
      },
    ]),
  ),
);

export { expect };

/** Records one judgement of one exchange in the running check and adds the exchange to the message of a finding. */
function book(exchange: WireExchange, finding: Finding | undefined): string {
  const record = currentRecord();
  if (record) record.judged++;
  record?.keep(exchange);
  if (!finding) return '';
  record?.decideBy(exchange);
  const whole = finding.stopped
    ? finding
    : { ...finding, received: `${finding.received} ${describeExchange(exchange)}` };
  if (record) record.finding = whole;
  return new FindingError(whole).message;
}

/**
 * Records a judgement of one exchange: `undefined` passes, a finding ends the check. For judgements about more than
 * one answer, which `expect` cannot express.
 */
export function conclude(exchange: WireExchange, judged: Finding | undefined): void {
  const finding = stopFinding(exchange) ?? judged;
  const record = currentRecord();
  if (record) record.judged++;
  record?.keep(exchange);
  if (!finding) return;
  record?.decideBy(exchange);
  throw new FindingError(finding);
}

/** The matchers of a module, recognised by their names. */
function pick(module: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(module).filter(([name]) => name.startsWith('to')));
}

/** `toBeAccepted` as `to be accepted`. */
function labelMatcher(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
