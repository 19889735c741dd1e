import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { producePhoneMessage } from '../../contracts/produce-phone-message.ts';
import type { PhoneMessageOutcome } from '../../contracts/judge-phone-message.ts';
import { producePhoneContract } from '../../contracts/produce-phone-contract.ts';
import { exampleOf } from '../../generators/contracts/matchers-from-schema.ts';
import {
  exampleSentences,
  ownAiPhoneContract,
  type PhoneInteraction,
} from '../../generators/contracts/own-ai-phone.ts';
import { Session } from '../../harness/checks/session.ts';
import { frameType } from '../../specs/frame-type.ts';
import { ai, answering, type Ai } from '../harness/call-server.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';

const { interactions } = ownAiPhoneContract;

function interaction(description: string): PhoneInteraction {
  const found = interactions.find((one) => one.description === description);
  if (!found) throw new Error(`no interaction “${description}”`);
  return found;
}

type Frame = Readonly<Record<string, unknown>>;

/** Milliseconds that the test waits for an answer that never arrives. */
const answerTimeoutMs = 1_000;

/** Milliseconds between the speech of an AI and its action. */
const untilItActsMs = 60;

/** Types of the frames of one side in the contract. */
const typesFrom = (side: 'service' | 'ai') =>
  new Set(
    interactions.flatMap((one): unknown[] => {
      if (one.kind === 'asynchronous') return side === 'ai' ? [(exampleOf(one.content) as Frame)['type']] : [];
      const frames = side === 'ai' ? one.responses : [one.request];
      return frames.map((frame) => (exampleOf(frame) as Frame)['type']);
    }),
  );

async function held(
  phoneAi: Promise<Ai>,
  description: string,
  sentences: Partial<typeof exampleSentences> = exampleSentences,
): Promise<PhoneMessageOutcome> {
  await using taken = await phoneAi;
  await using session = await Session.open(settingsOf(configOf({ phone: taken.url }), { answerTimeoutMs }));
  return await producePhoneMessage(session.phone, interaction(description), {
    sentences,
    label: 'a test',
    callId: session.ids.text(),
  });
}

describe('the phone contract', () => {
  it('has every frame of the AI, and every frame of the service except the last one of a call', () => {
    expect(typesFrom('service')).toEqual(new Set(['session.started', 'prompt', 'dtmf', 'interrupt', 'skill.result']));
    expect(typesFrom('ai')).toEqual(new Set(['text', 'action', 'skill']));
  });

  it('distinguishes its messages by their descriptions', () => {
    expect(new Set(interactions.map(({ description }) => description)).size).toBe(interactions.length);
  });
});

describe('producing the phone contract', () => {
  let directory: string;
  beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'svc-conform-phone-'))));
  afterAll(async () => await rm(directory, { recursive: true, force: true }));

  const produce = (...messages: readonly PhoneInteraction[]) =>
    producePhoneContract(directory, { ...ownAiPhoneContract, interactions: messages });

  it('writes messages that the driver has sent and understood', async () => {
    const asked = interaction('a sentence hands the call over with a note');
    await produce(asked, interaction('the AI closes its answer'));
    const written = JSON.parse(await readFile(join(directory, 'svc-own-ai-phone.json'), 'utf8')) as {
      interactions: readonly { type: string; description: string; comments: object }[];
    };
    expect(written.interactions.map(({ type, description }) => [type, description])).toEqual([
      ['Synchronous/Messages', asked.description],
      ['Asynchronous/Messages', 'the AI closes its answer'],
    ]);
    expect(written.interactions[0]?.comments).toEqual({ requirement: asked.requirement });
  });

  it('stops at an answer that the driver understands differently', async () => {
    const asked = interaction('a sentence ends the call');
    if (asked.kind !== 'synchronous') throw new Error('expected a frame that is answered');
    const wrong = { ...asked, responses: [{ type: 'action', action: 'handover' }] };
    await expect(produce({ ...wrong, cue: { ...asked.cue, pick: 'closing' } })).rejects.toThrow(
      'a sentence ends the call: expected',
    );
  });

  it('stops at a frame that the driver does not send as the contract says', async () => {
    const pressed = interaction('the caller presses 5, and the next sentence is answered');
    if (pressed.kind !== 'synchronous') throw new Error('expected a frame that is answered');
    await expect(produce({ ...pressed, request: { type: 'dtmf', digit: '5', tone: 'long' } })).rejects.toThrow(
      'expected the driver to send',
    );
  });
});

describe.concurrent('a call for a message of the contract', () => {
  it('gives the frame as the service reads it', async () => {
    const outcome = await held(answering({ token: 'Yes.', last: true }), 'a sentence is answered with speech');
    expect(outcome).toEqual({ outcome: 'frame', frame: { type: 'text', text: 'Yes.', last: true } });
  });

  it('gives a frame with a field of a wrong type, for Pact to judge', async () => {
    const outcome = await held(answering({ type: 'text', text: ['Yes.'], last: true }, { type: 'text', text: 'x', last: true }), 'a sentence is answered with speech'); // prettier-ignore
    expect(outcome).toMatchObject({ outcome: 'frame', frame: { text: ['Yes.'] } });
  });

  it('gives the last piece of an answer that is never closed', async () => {
    const outcome = await held(answering({ type: 'text', text: 'Yes.' }), 'the AI closes its answer');
    expect(outcome).toEqual({ outcome: 'frame', frame: { type: 'text', text: 'Yes.' } });
  });

  it.each([
    ['another action than is expected', { type: 'action', action: 'handover' }, 'a sentence ends the call'],
    ['an action without the words', { type: 'action', action: 'end' }, 'a sentence ends the call with words'],
    ['speech instead of an action', { type: 'text', text: 'No.', last: true }, 'a sentence ends the call'],
    ['ids instead of keys', { type: 'skill', executeSkills: [2] }, 'a sentence asks for skills by their keys'],
  ])('treats %s as a missing state', async (_, frame, description) => {
    expect(await held(answering(frame), description)).toMatchObject({ outcome: 'not-there' });
  });

  it('gives a skill that is requested after a few words', async () => {
    const skill = { type: 'skill', executeSkills: ['urgent'] };
    const telling = ai(({ type }, say) => {
      if (type !== 'prompt') return;
      say({ type: 'text', text: 'I am telling the team.', last: true });
      setTimeout(() => say(skill), untilItActsMs);
    });
    const outcome = await held(telling, 'a sentence asks for skills by their keys');
    expect(outcome).toEqual({ outcome: 'frame', frame: skill });
  });

  it('reports an AI that says nothing', async () => {
    const silent = ai(({ type, text }, say) => {
      if (type === 'prompt' && text !== 'Now.') say({ type: 'text', text: 'Yes.', last: true });
    });
    const outcome = await held(silent, 'a call begins, and the first sentence is answered', { answer: 'Now.' });
    expect(outcome).toMatchObject({ outcome: 'silent' });
  });

  it('does not blame an AI that ends the call at a key', async () => {
    let hasEnded = false;
    const ending = ai(({ type }, say) => {
      if (type === 'prompt' && !hasEnded) say({ type: 'text', text: 'Yes.', last: true });
      if (type !== 'dtmf') return;
      hasEnded = true;
      say({ type: 'action', action: 'end' });
    });
    const outcome = await held(ending, 'the caller presses #, and the next sentence is answered');
    expect(outcome).toMatchObject({ outcome: 'not-there' });
  });

  const oneSkillTooMany = { type: 'skill', executeSkills: ['a', 'b', 'c', 'd', 'e', 'f'] };
  const numberForText = { type: 'text', text: 42, last: true };
  const textForLast = { type: 'text', text: 'Yes.', last: 'true' };
  const unknownAction = { type: 'action', action: 'transfer', text: 'Passing on.' };
  const unknownType = { type: 'speech', text: 'Yes.', last: true };

  it.each([
    ['six skills', oneSkillTooMany, 'a sentence asks for at most five skills', 'at most 5 skills in executeSkills', '6'],
    ['a number for text', numberForText, 'a sentence is answered with speech', 'text to be a string or null', '42'],
    ['another type for last', textForLast, 'the AI speaks a piece and leaves the answer open', 'last to be true or false or null', '"true"'],
    ['an unknown action', unknownAction, 'a sentence hands the call over', 'action to be one of end, handover', '"transfer"'],
    ['an unknown type', unknownType, 'a sentence is answered with a frame of a known type', 'type to be one of text, action, skill', '"speech"'],
  ])('gives a frame with %s to the message about it, with the fault', async (_, frame, description, expected, received) => {
    const outcome = await held(answering(frame), description);
    expect(outcome).toMatchObject({ outcome: 'frame', fault: { expected, received } });
  }); // prettier-ignore

  it.each([
    ['six skills', oneSkillTooMany, 'a sentence asks for skills by their keys'],
    ['six skills', oneSkillTooMany, 'a sentence asks for skills by their ids'],
    ['a key that is not a list', { type: 'skill', executeSkills: 'sales' }, 'a sentence asks for skills by their ids'],
    ['a number for text', numberForText, 'the caller presses 5, and the next sentence is answered'],
    [
      'a frame that is too large',
      { type: 'text', text: 'x'.repeat(70_000), last: true },
      'a call begins, and the first sentence is answered',
    ],
    ['a number for text', numberForText, 'the AI closes its answer'],
    ['a number for text', numberForText, 'the AI closes its answer with an empty piece'],
    ['another type for last', textForLast, 'the AI closes its answer with an empty piece'],
    ['an unknown action', unknownAction, 'a sentence hands the call over with words'],
    ['an unknown type', unknownType, 'a sentence hands the call over'],
  ])('does not fail another message for %s', async (_, frame, description) => {
    const outcome = await held(answering(frame), description);
    expect(outcome).toMatchObject({ outcome: 'not-there', reason: expect.not.stringContaining('a frame of the type text') as string }); // prettier-ignore
  });

  it('treats an empty piece whose last is not a boolean as an open answer', async () => {
    const pieces = answering({ type: 'text', text: 'Yes.' }, { type: 'text', text: '', last: 1 });
    const outcome = await held(pieces, 'the AI closes its answer with an empty piece');
    expect(outcome).toEqual({ outcome: 'frame', frame: { type: 'text', text: '', last: 1 } });
  });

  it.each([
    ['a frame of an unknown type', answering({ type: 'speech', text: 'Yes.' }), 'a frame of the unknown type "speech"'],
    ['text', answering('Yes.'), 'text that is not JSON: Yes.'],
    ['a list', answering('["Yes."]'), 'JSON that is not an object: ["Yes."]'],
    ['a number as text', answering(numberForText), 'a text frame that breaks own-ai-phone/text-is-a-string (expected text to be a string or null, received 42)'],
    ['an empty piece', answering({ type: 'text', text: '', last: true }), 'an answer that was closed without speech'],
    ['nothing', answering(), 'nothing in 2 s'],
    ['the end', ai(({ type }, _, socket) => type === 'prompt' && socket.close(1000)), 'the AI closed the connection (code 1000)'],
  ])('reports that %s arrived in place of an answer', async (_, phoneAi, reason) => {
    const outcome = await held(phoneAi, 'a call begins, and the first sentence is answered');
    expect(outcome).toMatchObject({ outcome: 'silent', expected: expect.stringContaining('speech, an action or a skill') as string, reason }); // prettier-ignore
  }); // prettier-ignore

  it('reports that a frame that is too large ends the connection', async () => {
    const large = answering({ type: 'text', text: 'x'.repeat(70_000), last: true });
    const outcome = await held(large, 'a sentence is answered with a frame of at most 64 KB');
    expect(outcome).toMatchObject({
      outcome: 'silent',
      expected: 'a frame of at most 65536 bytes (64 KB)',
      reason: expect.stringMatching(/^one of 700\d\d bytes, which ends the connection$/) as string,
    });
  });

  it('fails a key only for a missing answer, if a plain sentence is answered', async () => {
    const silentFor = (isSilent: (type: unknown) => boolean) =>
      ai(({ type }, say, socket) => {
        if (isSilent(type)) socket.close(1000);
        else if (type === 'prompt') say({ type: 'text', text: 'Yes.', last: true });
      });
    const pressed = 'the caller presses 5, and the next sentence is answered';
    expect(
      await held(
        silentFor((type) => type === 'dtmf'),
        pressed,
      ),
    ).toMatchObject({ outcome: 'silent' });
    expect(
      await held(
        silentFor((type) => type === 'prompt'),
        pressed,
      ),
    ).toMatchObject({ outcome: 'not-there' });
  });

  it('waits for an answer after an ignored frame once in full, and then for a shorter time', async () => {
    await using taken = await ai(({ type, text }, say) => {
      if (type !== 'prompt') return;
      say(text === exampleSentences.handover ? unknownAction : { type: 'text', text: 'Yes.', last: true });
    });
    await using session = await Session.open(settingsOf(configOf({ phone: taken.url }), { answerTimeoutMs: 4_000 }));
    const waits: number[] = [];
    for (const label of ['first', 'second']) {
      await producePhoneMessage(session.phone, interaction('a sentence hands the call over'), {
        sentences: exampleSentences,
        label,
        callId: session.ids.text(),
      });
      const call = session.phone.calls.find((one) => one.label === label);
      waits.push((call?.end?.atMs ?? 0) - (call?.frames.find(({ from }) => from === 'ai')?.atMs ?? 0));
    }
    expect(waits[1]).toBeLessThan((waits[0] ?? 0) / 2);
  });

  it('reports the result of the skill before it continues', async () => {
    const heard: Frame[] = [];
    const asking = ai((frame, say) => {
      heard.push(frame);
      if (frame['type'] !== 'prompt') return;
      const asks = frame['text'] === exampleSentences.skill;
      say(asks ? { type: 'skill', key: 'sales' } : { type: 'text', text: 'Yes.', last: true });
    });
    const outcome = await held(asking, 'a skill is refused, and the next sentence is answered');
    expect(outcome).toMatchObject({ outcome: 'frame' });
    expect(heard).toContainEqual({ type: 'skill.result', key: 'sales', ok: false, reason: 'outside-hours' });
  });

  it('needs the sentence that causes the state', async () => {
    const outcome = await held(answering(), 'a sentence ends the call', { answer: 'Hello?' });
    expect(outcome).toEqual({
      outcome: 'not-there',
      reason: expect.stringContaining('stimuli.phone.end') as string,
    });
  });

  it('has examples of frames that each are of a known type', () => {
    const frames = interactions.map((one) => exampleOf(one.kind === 'synchronous' ? (one.responses[0] ?? null) : one.content)); // prettier-ignore
    expect(frames.map((frame) => frameType(frame as Frame))).not.toContain(undefined);
  });
});
