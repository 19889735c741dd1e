import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { HoldOptions } from '../../harness/wire/phone-driver.ts';
import type { SessionStarted, SkillRefused } from '../../specs/generated/types.ts';
import { toBeAnswered, toStayUp } from '../matchers/call-matchers.ts';
import { expect } from '../matchers/expect.ts';
import { unknownFields } from '../unknown-fields.ts';
import { beginSlowCalls } from './slow-calls.ts';
import { expectToContinue, expectToStay, isSilent, requireAnswer, requirePlainCall, waitForTurn } from './talk.ts';

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
        // Each call has its own id and its own contact.
        startedAs: { ...startedAs, callId: kit.ids.text(), contact: { ...startedAs.contact, id: kit.ids.integer() } },
      }),
    );
    await Promise.all(calls);
  });

  const unknownValues: readonly [what: string, over: (kit: CheckKit) => Record<string, unknown>][] = [
    ['a language', () => ({ language: 'fr-CH' })],
    ['a kind of skill', () => ({ skills: [unknownSkill] })],
    [
      'a reason for resuming',
      (kit) => ({ resumed: 'transfer_returned', resumedAfter: failedForward(kit, 'no-answer') }),
    ],
  ];
  for (const [what, over] of unknownValues) {
    check('own-ai-phone/ignores-unknown-values', `${what} that came later is ignored`, (kit) =>
      begin(kit, later(kit, `${what} that came later`, over(kit))),
    );
  }

  for (const reason of ['no-answer', 'failed'] as const) {
    const title = `after a takeover that ended in ${reason}`;
    check('own-ai-phone/goes-on-after-failed-takeover', `a call that comes back ${title} continues`, (kit) =>
      comesBack(kit, title, { resumed: 'handover_failed', resumedAfter: failedForward(kit, reason) }),
    );
  }
});

/** The result of a failed takeover, with a forward that the call offers, where it offers one. */
function failedForward({ sample }: CheckKit, reason: 'no-answer' | 'failed'): SkillRefused {
  const forward = sample.sessionStarted().skills.find(({ kind }) => kind === 'forward');
  return { key: forward?.key ?? 'sales', ok: false, reason };
}

/** Expects a call that begins in this way to be accepted and its first sentence to be answered. */
async function begin(kit: CheckKit, options: HoldOptions): Promise<void> {
  if (await isSilent(kit)) return await expectToStay(kit, options);
  beginSlowCalls(kit);
  await requirePlainCall(kit);
  await kit.phone.hold(options, (call) => expectToContinue(kit, call));
}

/**
 * The team took the call over, no one picked up, and the caller is back with the AI on a new connection. Whether the
 * call keeps its call id is not shown, so it fails only when it continues in neither form.
 */
async function comesBack(kit: CheckKit, title: string, over: Partial<SessionStarted>): Promise<void> {
  const { phone, ids, sample } = kit;
  await requirePlainCall(kit);
  const callId = ids.text();
  await phone.hold({ label: 'a call that the team takes over', started: { callId } }, async (call) => {
    await requireAnswer(kit, call);
    await call.end();
  });
  const label = `a call that comes back ${title}`;
  const resume = (id: string) =>
    phone.hold({ label, started: { callId: id, ...over } }, async (call) => {
      // The AI may speak at once; what it says then is not an answer.
      await waitForTurn(call);
      if (call.isUp) await call.ask(sample.callerSentence);
      return call.observation;
    });
  const first = await resume(callId).catch((error: unknown) => {
    if (error instanceof HarnessFault && error.code === 'control-failed') return undefined;
    throw error;
  });
  const wentOn =
    first !== undefined &&
    toStayUp(first) === undefined &&
    (first.answers.length === 0 || toBeAnswered(first) === undefined);
  const judged = wentOn ? first : await resume(ids.text());
  expect(judged).toStayUp();
  // An action, such as ending the call, is an answer too.
  if (judged.answers.length > 0) expect(judged).toBeAnswered();
}

/** The beginning of a call with values that the interface does not know. */
function later({ sample }: CheckKit, label: string, over: Record<string, unknown>): HoldOptions {
  return { label, startedAs: { ...sample.sessionStarted(), ...over } };
}
