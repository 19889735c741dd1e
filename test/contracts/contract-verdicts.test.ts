import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { smallEndpoint, type SmallAnswer } from '../bin/small-endpoint.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';
import { listening } from '../server-fixture.ts';
import { startVerifier, type Verifier } from './start-verifier.ts';

const chat = (of: string) => `own-ai-chat/${of}`;
const text = chat('text-is-a-string#contract-a-message-is-answered-with-text');
const action = chat('action-is-known#contract-a-message-is-answered-with-an-action');
const handover = chat('action-is-known#contract-a-message-is-answered-with-a-handover');
const end = chat('action-is-known#contract-a-message-is-answered-with-an-end');
const note = chat('members-have-their-types#contract-a-handover-comes-with-a-note');
const shortNote = chat('note-within-500-characters#contract-a-handover-comes-with-a-note-of-at-most-500-characters');
const skills = chat('at-most-five-skills#contract-a-message-is-answered-with-at-most-5-skills');
const later = chat('answers-messages#contract-a-message-to-which-the-chat-answers-later');
const status = chat('answers-messages#contract-a-message-to-which-the-chat-answers-at-once');
const listed = chat('answers-with-a-listed-status#contract-a-message-is-answered-with-a-status-that-is-listed');
const content = [text, action, handover, end, note, shortNote, skills];

const stimuli = { answer: 'When?', handover: 'A person!', end: 'Bye.', skill: 'Sales!', async: 'Check that.' };

let verifier: Verifier;
beforeAll(() => void (verifier = startVerifier()));
afterAll(() => verifier[Symbol.dispose]());

async function judge(answer: SmallAnswer, only: string[], isSetUp = true): Promise<Map<string, FinishedCheck>> {
  await using endpoint = await smallEndpoint(() => answer);
  const config = configOf({ chat: endpoint.url }, isSetUp ? { stimuli: { chat: stimuli } } : {});
  const checks = await verifier.verify({ settings: settingsOf(config, { only }), surfaces: ['own-ai-chat'] });
  return new Map(checks.map((check) => [check.id, check]));
}

async function verdicts(answer: SmallAnswer, only: string[], isSetUp = true): Promise<(string | undefined)[]> {
  const checks = await judge(answer, only, isSetUp);
  return only.map((id) => checks.get(id)?.verdict);
}

function json(value: unknown, of = 200): SmallAnswer {
  return { status: of, body: JSON.stringify(value) };
}

const everything = { text: 'Yes.', action: 'handover', note: 'Wants a date.', executeSkills: ['sales'] };
const notExercised = (ids: readonly string[]) => ids.map(() => 'not-exercised');

it('does not fail a chat that closes connections in place of refusals: it accepts nothing', async () => {
  await using server = await listening(createServer((socket) => socket.once('data', () => socket.destroy())));
  const refused = [chat('refuses-missing-signature'), chat('refuses-other-secret')];
  const settings = settingsOf(configOf({ chat: `http://${server.host}/chat` }), { only: refused });
  const checks = await verifier.verify({ settings, surfaces: ['own-ai-chat'] });
  expect(checks.map(({ requirement, verdict }) => [requirement, verdict])).toEqual(
    refused.map((id) => [id, 'not-exercised']),
  );
});

it.each([
  ['an object with 201', json(everything, 201), 'not-exercised'],
  ['a page', { status: 200, body: '<html>ok</html>' }, 'fail'],
  ['a list', json([everything]), 'fail'],
  ['nothing', { status: 200 }, 'not-exercised'],
  ['an object', json({ text: 'Yes.' }), 'pass'],
] as const)('judges whether an answer is a JSON object by itself: %s', async (_, answer, verdict) => {
  const id = chat('answer-is-a-json-object#contract-a-message-is-answered-with-a-json-object');
  expect(await verdicts(answer, [id])).toEqual([verdict]);
});

describe('a status of the chat', () => {
  it('that should be another one counts only where the status is judged', async () => {
    const checks = await judge(json(everything, 201), [...content, status, listed]);
    expect(content.map((id) => checks.get(id)?.verdict)).toEqual(notExercised(content));
    expect(checks.get(text)?.message).toBe(
      'The endpoint answered 201, but this interaction is about 200, so it was not exercised.',
    );
    expect(checks.get(status)?.verdict).toBe('pass');
    expect(checks.get(listed)).toMatchObject({ verdict: 'fail', level: 'should' });
  });

  it('that is an error fails only the interaction about the status', async () => {
    const checks = await judge({ status: 500 }, [...content, status]);
    expect(content.map((id) => checks.get(id)?.verdict)).toEqual(notExercised(content));
    expect(checks.get(status)).toMatchObject({ verdict: 'fail', level: 'must' });
  });
});

describe('an answer of the chat', () => {
  it('shows a handover or an end only with that action, and a note of a handover only with a handover', async () => {
    const ids = [action, handover, end, note, shortNote];
    expect(await verdicts(json({ text: '', action: 'none', note: 'A note.' }), ids)).toEqual([
      'pass',
      ...notExercised(ids.slice(1)),
    ]);
    expect(await verdicts(json(everything), ids)).toEqual(['pass', 'pass', 'not-exercised', 'pass', 'pass']);
  });

  it('with an unknown action fails because of it', async () => {
    const checks = await judge(json({ text: '', action: 'hand_over', note: 'A note.' }), [action, handover, end, note]);
    for (const id of [action, handover, end]) expect(checks.get(id)?.message).toContain("received 'hand_over'");
    expect(checks.get(note)?.verdict).toBe('not-exercised');
  });

  it('that names no skill shows none', async () => {
    const checks = await judge(json({ ...everything, executeSkills: [] }), [skills]);
    expect(checks.get(skills)).toMatchObject({
      verdict: 'not-exercised',
      message: expect.stringContaining('has an empty executeSkills') as string,
    });
    expect(await verdicts(json({ executeSkills: Array(6).fill('sales') }), [skills])).toEqual(['fail']);
  });

  it.each<[string, SmallAnswer, string]>([
    ['202', { status: 202 }, 'pass'],
    ['200 without a body', { status: 200 }, 'pass'],
    ['200 with a reply', json({ text: 'Yes.', action: 'none' }), 'not-exercised'],
    ['201', { status: 201 }, 'not-exercised'],
    ['500', { status: 500 }, 'fail'],
  ])('that should be deferred and is %s decides the verdict', async (_, answer, verdict) => {
    expect(await verdicts(answer, [later])).toEqual([verdict]);
  });

  it('that is longer than its record is not treated as broken JSON', async () => {
    const checks = await judge(json({ ...everything, text: 'x'.repeat(300_000) }), [text, skills]);
    expect([...checks.values()].map(({ verdict }) => verdict)).toEqual(notExercised([text, skills]));
    expect(checks.get(text)?.message).toContain('longer than the recorded part');
  });

  it('fails if it shows the subject of the interaction, although the state was not set up', async () => {
    expect(await verdicts(json({ text: 7 }), [text, skills], false)).toEqual(['fail', 'not-exercised']);
    expect(await verdicts({ status: 200, body: 'text' }, [text], false)).toEqual(['not-exercised']);
  });

  it('is reported in a few words, however long it is', async () => {
    const checks = await judge(json({ text: ['<'.repeat(50_000)] }), [text]);
    const { verdict, message = '' } = checks.get(text) ?? {};
    expect(verdict).toBe('fail');
    expect(message).toContain('expected text in the body to be of the type string, received ["<<');
    expect(message.length).toBeLessThan(400);
  });
});

describe('an answer to the CRM webhook', () => {
  const customer = 'crm-webhook/ids-are-strings#contract-a-call-of-a-known-number-is-answered-with-the-customer-id';
  const known = 'crm-webhook/answers-every-event#contract-the-event-incomingcalllookup-of-a-known-number';

  async function judged(answer: SmallAnswer): Promise<(string | undefined)[]> {
    await using endpoint = await smallEndpoint(() => answer);
    const config = configOf({ crm: endpoint.url }, { stimuli: { knownCaller: '+4930555001' } });
    const settings = settingsOf(config, { only: [customer, known] });
    const checks = await verifier.verify({ settings, surfaces: ['crm-webhook'] });
    return [customer, known].map((id) => checks.find((check) => check.id === id)?.verdict);
  }

  it.each<[string, SmallAnswer, string]>([
    ['is longer than is kept', { status: 200, body: `{"a":"${'x'.repeat(300_000)}"}` }, 'pass'],
    ['has another status', { status: 500 }, 'fail'],
  ])('that %s shows no field, and its status is judged', async (_, answer, verdict) => {
    expect(await judged(answer)).toEqual(['not-exercised', verdict]);
  });
});
