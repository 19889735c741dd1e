import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import type { HoldOptions } from '../../harness/wire/phone-driver.ts';
import { expect } from '../matchers/expect.ts';
import { unknownFields } from '../unknown-fields.ts';
import { beginSlowCalls } from './begin-slow-calls.ts';
import { failedForward } from './takeovers.ts';
import { expectToContinue, expectToStay, isSilent, requirePlainCall } from './talk.ts';

/** A protocol revision that does not exist yet. */
const laterRevision = '2027-03-01';
const unknownSkill = { id: 77, key: 'survey', name: 'Survey', kind: 'survey', announcement: null };

describe.concurrent('own-ai-phone beginnings', () => {
  for (const language of ['de-DE', 'en-US'] as const) {
    check('own-ai-phone/answers-in-each-language', `a call in ${language} is accepted and answered`, (kit) =>
      begin(kit, { label: `a call in ${language}`, started: { language } }),
    );
  }

  check('own-ai-phone/accepts-call-without-skills', 'a call that offers no skill is answered', (kit) =>
    begin(kit, { label: 'a call without skills', started: { skills: [] } }),
  );

  check(
    'own-ai-phone/accepts-later-protocol-revision',
    'a call of a later protocol revision is accepted and answered',
    async (kit) => {
      const upgrade = kit.phone.upgrade(undefined, laterRevision);
      expect(await kit.phone.ring('the upgrade of a later protocol revision', { upgrade })).toBeConnected();
      await begin(kit, later(kit, 'a call of a later protocol revision', { protocol: laterRevision }));
    },
  );

  check('own-ai-phone/ignores-unknown-members', 'unknown fields of session.started are ignored', async (kit) => {
    const calls = unknownFields(kit.sample.sessionStarted(), kit.settings).map((startedAs) =>
      begin(kit, {
        label: 'unknown fields in session.started',
        // Each call has its own ids and its own contact.
        startedAs: {
          ...startedAs,
          ...kit.sample.newCallIds(),
          contact: { ...startedAs.contact, id: kit.ids.integer() },
        },
      }),
    );
    await Promise.all(calls);
  });

  const unknownValues: readonly [what: string, over: (kit: CheckKit) => Record<string, unknown>][] = [
    ['a language', () => ({ language: 'fr-CH' })],
    ['a kind of skill', () => ({ skills: [unknownSkill] })],
    [
      'a reason for resuming',
      (kit) => ({
        resumed: 'transfer_returned',
        resumedAfter: failedForward(kit.sample.sessionStarted(), 'no-answer'),
      }),
    ],
  ];
  for (const [what, over] of unknownValues) {
    check('own-ai-phone/ignores-unknown-values', `${what} that came later is ignored`, (kit) =>
      begin(kit, later(kit, `${what} that came later`, over(kit))),
    );
  }
});

/** Expects a call that begins in this way to be accepted and its first sentence to be answered. */
async function begin(kit: CheckKit, options: HoldOptions): Promise<void> {
  if (await isSilent(kit)) return await expectToStay(kit, options);
  beginSlowCalls(kit);
  await requirePlainCall(kit);
  await kit.phone.hold(options, (call) => expectToContinue(kit, call));
}

/** The beginning of a call with values that the interface does not know. */
function later({ sample }: CheckKit, label: string, over: Record<string, unknown>): HoldOptions {
  const pointers = Object.keys(over).map((field) => `/${field}`);
  return { label, startedAs: deviating({ ...sample.sessionStarted(), ...over }, ...pointers) };
}
