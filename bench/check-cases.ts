import { CheckRecord, withRecord } from '../harness/checks/check-record.ts';
import type { CheckKit } from '../harness/checks/check.ts';
import type { Session } from '../harness/checks/session.ts';
import type { RunSettings } from '../harness/config/settings.ts';
import { fromSchema } from '../generators/from-schema.ts';
import { schemas } from '../specs/schemas.ts';
import type { ApiWebhookEvent } from '../specs/generated/types.ts';
import { toBeAccepted } from '../suites/matchers/answer-matchers.ts';
import { forAnyEvent } from '../suites/for-any-event.ts';

/**
 * Generates, signs, sends and judges as many appointment events as the settings say, and records them as evidence, as a
 * check does. Resolves to the milliseconds of one.
 */
export async function checkCases(session: Session, settings: RunSettings): Promise<number> {
  const kit = { session, settings } as unknown as CheckKit;
  const record = new CheckRecord();
  const from = performance.now();
  await withRecord(record, () =>
    forAnyEvent<ApiWebhookEvent>(kit, {
      events: fromSchema<ApiWebhookEvent>(schemas.apiWebhookEvent),
      edges: [],
      runs: settings.runs,
      isValid: () => true,
      deliver: (event) => session.hooks.post(session.hooks.sign(event), { label: 'generated' }),
      judge: toBeAccepted,
    }),
  );
  if (record.judged !== settings.runs) throw new Error(`expected ${settings.runs} cases, received ${record.judged}`);
  return (performance.now() - from) / settings.runs;
}
