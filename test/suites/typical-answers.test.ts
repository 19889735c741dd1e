import { expect, it } from 'vitest';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { dataPart } from '../../suites/crm-webhook/typical-answers.ts';

it('points to the body of an answer, or to its status without a body', () => {
  const answered = (bodyBytes: number) => ({ answer: { outcome: 'answered', bodyBytes } }) as CrmObservation;
  expect(dataPart(answered(1))).toEqual({ body: [] });
  expect(dataPart(answered(0))).toEqual({ status: true });
});
