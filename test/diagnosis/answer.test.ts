import { describe, expect, it } from 'vitest';
import { diagnoseAnswer } from '../../diagnosis/answer/diagnose-answer.ts';
import { findForeignContact } from '../../diagnosis/answer/find-foreign-contact.ts';
import { answerCauses } from '../../diagnosis/causes/answer.ts';
import { search } from '../../diagnosis/diagnose.ts';
import { faultyAnswers } from './faulty-answers.ts';
import { faultyCallbacks } from './faulty-callbacks.ts';
import { laterMistakes } from './mistakes/later-mistakes.ts';
import { openEndpoint } from './open-connection.ts';
import { rightEndpoints } from './right-endpoints.ts';
import { compose } from '../proving/crm.ts';
import { json } from '../proving/wire.ts';

/** Milliseconds for two answers that never end, on a busy machine. */
const slow = 40_000;

describe.concurrent('an answer that cannot be used', () => {
  for (const { cause, name, surface, build, says = '', suspected } of faultyAnswers) {
    it(
      `is reported as ${cause}${suspected ? ', with a doubt' : ''}: ${name} (${surface})`,
      { timeout: slow },
      async () => {
        await using open = await openEndpoint(surface, build());
        const { found, suspects } = await diagnoseAnswer(open.connection);
        const reported = suspected ? suspects[0] : found;
        expect(reported?.id).toBe(cause);
        expect(reported?.summary).toContain(says);
        if (suspected) expect(found).toBeUndefined();
        expect(open.connection.deliveries).toBeLessThanOrEqual(7);
      },
    );
  }

  it('is not reported for a correct endpoint, however unusual', { timeout: slow }, async () => {
    const reported = await Promise.all(
      rightEndpoints.map(async ({ name, surface, options, build }) => {
        await using open = await openEndpoint(surface, build(), options);
        const { found, suspects } = await diagnoseAnswer(open.connection);
        return found || suspects.length > 0 ? [name, found ?? suspects] : [];
      }),
    );
    expect(reported.flat()).toEqual([]);
    expect(reported.length).toBeGreaterThan(30);
  });

  it('is searched for in the answer to a failing event first', async () => {
    await using open = await openEndpoint('own-ai-chat', {
      chat: { now: (thought, { data }) => json(200, data.channel === 'telegram' ? { ...thought, text: 7 } : thought) },
    });
    const { connection } = open;
    const { sample } = connection.session;
    const event = sample.messageReceived({ channel: 'telegram' });
    const outcome = await diagnoseAnswer(connection, { requirement: 'own-ai-chat/text-is-a-string', event });
    expect(outcome.found).toMatchObject({
      id: 'answer/wrong-type',
      summary: expect.stringContaining('/text') as string,
    });
    expect(connection.deliveries).toBe(2);
  });

  it('is only suspected if the same question is answered correctly afterwards', async () => {
    let answered = 0;
    await using open = await openEndpoint('own-ai-chat', {
      chat: { now: (thought) => json(200, answered++ === 0 ? { ...thought, action: 'transfer' } : thought) },
    });
    const { found, suspects } = await diagnoseAnswer(open.connection);
    expect(found).toBeUndefined();
    expect(suspects).toMatchObject([{ id: 'answer/unknown-action', why: expect.stringContaining('once') as string }]);
  });

  it(
    'is not reported for an AI that knows contacts by their id and rejects large numbers',
    { timeout: slow },
    async () => {
      const names = new Map<unknown, string>();
      await using open = await openEndpoint('own-ai-chat', {
        chat: {
          read: ({ data: { contact, projectId, message } }) =>
            [contact.id, projectId, message.id].some((id) => Number(id) > 2_147_483_647) ? { status: 400 } : undefined,
          think: ({ data: { contact } }) => {
            if (!names.has(contact.id) && typeof contact.name === 'string') names.set(contact.id, contact.name);
            return { text: `Hello ${names.get(contact.id) ?? 'you'}.`, action: 'none' };
          },
        },
      });
      const { diagnosis } = await search(open.connection);
      expect(diagnosis.cause?.id).not.toBe('answer/of-another-contact');
      expect(diagnosis.suspects.map(({ id }) => id)).not.toContain('answer/of-another-contact');
    },
  );

  it('is shown with the value of the other contact, and the event', async () => {
    await using open = await openEndpoint('own-ai-chat', {});
    const { connection } = open;
    const [one, other] = [connection.session.sample.messageReceived(), connection.session.sample.messageReceived()];
    const answer = JSON.stringify({ text: `Hello ${other.data.contact.name}.` });
    for (const event of [other, one, one]) connection.valid.answered.push({ event: JSON.stringify(event), answer });
    const { found, seen } = findForeignContact(connection);
    expect(found?.summary).toMatch(/^2 of 3 answers, callbacks and replies contain/);
    const event = `the answer to the event message.received of contact ${one.data.contact.id}`;
    expect(found?.summary).toContain(event);
    expect(seen).toEqual([
      `${event.replace('the', 'The')} contains "${other.data.contact.name}", which belongs to another contact.`,
    ]);
  });

  it('continues after a fault that breaks only advice, and reports a later serious one', async () => {
    await using open = await openEndpoint('crm-webhook', {
      crm: {
        compose: (parts) => {
          const { requestContactUpdate: _, ...answer } = compose(parts);
          return parts.project ? { ...answer, requestProjectUpdate: 'yes' } : answer;
        },
      },
    });
    const { found, suspects } = await diagnoseAnswer(open.connection);
    expect(found?.id).toBe('answer/flag-not-boolean');
    expect(suspects.map(({ id }) => id)).toContain('answer/part-without-flag');
  });

  it('has an endpoint for each cause', () => {
    const shown = new Set<string>([
      ...[...faultyAnswers, ...faultyCallbacks].map(({ cause }) => cause),
      ...laterMistakes.flatMap(({ causes }) => causes),
    ]);
    expect(Object.keys(answerCauses).filter((id) => !shown.has(id))).toEqual([]);
  });
});
