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
        // Asked for only where a suite of somebody's own has turned the matcher round.
        const turned = () => `expected not ${labelMatcher(name)}, received just that ${describeExchange(received)}`;
        return { pass: finding === undefined, message: finding ? () => message : turned };
      },
    ]),
  ),
);

export { expect };

/** Books one judgement of one exchange to the running check; a finding gets the exchange into its message. */
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
 * Books what a judge found about one exchange: `undefined` holds, a finding ends the check. For judgements that are
 * about more than one answer, where `expect` has no place.
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

/** The matchers of a module: what is named as one. */
function pick(module: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(module).filter(([name]) => name.startsWith('to')));
}

/** `toBeAccepted` as `to be accepted`. */
function labelMatcher(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
