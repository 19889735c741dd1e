import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallAnswer } from '../../harness/wire/observation.ts';
import { Session } from '../../harness/checks/session.ts';
import { limits } from '../../specs/limits.ts';
import { validate } from '../../specs/validators.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';
import { recordingPhone, type RecordedCall, type RecordingPhone } from './recording-phone.ts';

let phone: RecordingPhone;
let session: Session;

const piece = (text: string, last = false) => ({ type: 'text', text, last });

beforeAll(async () => {
  phone = await recordingPhone();
  phone.answerWith(({ type }, say) => {
    if (type === 'prompt') say(piece('Yes.', true));
  });
  session = await Session.open(settingsOf(configOf({ phone: phone.url })));
  // The driver measures an unknown endpoint in separate calls.
  await session.phone.hold({ label: 'the first one' }, (call) => call.ask('Hello?'));
});
beforeEach(() => void (phone.calls.length = 0));
afterEach(() => {
  expect(phone.refused).toBe(0);
  for (const frame of phone.calls.flatMap(framesOf)) {
    if (frame.type === 'skill.result') expect(validate('skillResult', frame), JSON.stringify(frame)).toEqual([]);
    else expect(['session.started', 'prompt', 'session.ended']).toContain(frame.type);
  }
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await phone[Symbol.asyncDispose]();
});

const framesOf = ({ frames }: RecordedCall) => frames.map((text) => JSON.parse(text) as Record<string, unknown>);

interface Heard {
  answer: CallAnswer;
  /** Everything that the caller has heard. */
  spoken: string;
  /** Whether the call continues after the answer. */
  goesOn: boolean;
  /** Types of the sent frames. */
  sent: unknown[];
  results: Record<string, unknown>[];
  code: number | undefined;
}

/** A call in which the AI answers the only sentence with these frames. */
async function callWithAnswer(...frames: (object | string)[]): Promise<Heard> {
  phone.answerWith(({ type }, say) => {
    if (type === 'prompt') frames.forEach(say);
  });
  const heard = await session.phone.hold({ label: 'held' }, async (call) => {
    const answer = await call.ask('Hello?');
    return { answer, goesOn: call.isUp, spoken: call.heardSince(0) };
  });
  const call = phone.calls.at(-1);
  if (!call) throw new Error('expected a call, received none');
  const sent = framesOf(call);
  return {
    ...heard,
    sent: sent.map(({ type }) => type),
    results: sent.filter(({ type }) => type === 'skill.result').map(({ type: _, ...result }) => result),
    code: call.closed?.code,
  };
}

const wholeCall = ['session.started', 'prompt', 'session.ended'];

describe('speech', () => {
  it('service/phone-speaks-the-pieces-of-an-answer: one after the other, until last', async () => {
    const { answer, spoken, goesOn } = await callWithAnswer(piece('We are '), piece('open'), piece('.', true));
    expect(answer).toMatchObject({ outcome: 'closed', text: 'We are open.', pieces: 3 });
    expect(spoken).toBe('We are open.');
    expect(goesOn).toBe(true);
  });

  it('service/phone-passes-no-empty-piece-on', async () => {
    const { answer, spoken } = await callWithAnswer(piece(''), piece('Yes'), piece(''), piece('', true));
    expect(answer).toMatchObject({ outcome: 'closed', text: 'Yes', pieces: 1 });
    expect(spoken).toBe('Yes');
  });

  it('service/phone-takes-token-for-text', async () => {
    const { answer } = await callWithAnswer({ type: 'text', token: 'To' }, { type: 'text', token: 'ken', last: true });
    expect(answer).toMatchObject({ outcome: 'closed', text: 'Token', pieces: 2 });
  });
});

describe('actions', () => {
  it('service/phone-end-speaks-then-hangs-up', async () => {
    const { answer, spoken, goesOn, sent, code } = await callWithAnswer(piece('I see. '), {
      type: 'action',
      action: 'end',
      text: 'Goodbye!',
      note: 'All said.',
    });
    expect(answer).toMatchObject({ outcome: 'action', text: 'I see. Goodbye!' });
    expect(spoken).toBe('I see. Goodbye!');
    expect({ goesOn, sent, code }).toEqual({ goesOn: false, sent: wholeCall, code: 1000 });
  });

  it('service/phone-handover-speaks-the-text', async () => {
    const { answer, spoken, goesOn, sent, code } = await callWithAnswer(
      { type: 'action', action: 'handover', text: 'Please leave a message.' },
      piece('Not heard any more.', true),
    );
    expect(answer).toMatchObject({ outcome: 'action', text: 'Please leave a message.' });
    expect(spoken).toContain('Please leave a message.');
    expect({ goesOn, sent, code }).toEqual({ goesOn: false, sent: wholeCall, code: 1000 });
  });

  it('service/phone-ignores-unknown-actions', async () => {
    for (const action of ['hangup', 'END', 'none', '', null, 7, undefined]) {
      const frame = { type: 'action', action, text: 'Not said.' };
      const { answer, goesOn } = await callWithAnswer(frame, piece('Still here.', true));
      expect(answer, JSON.stringify(frame)).toMatchObject({ outcome: 'closed', text: 'Still here.' });
      expect(goesOn, JSON.stringify(frame)).toBe(true);
    }
  });
});

describe('other frames', () => {
  it('service/phone-ignores-what-is-not-json', async () => {
    const { answer, goesOn } = await callWithAnswer(
      'Hello!',
      '{"type":"action","action":"end"',
      '',
      piece('Still here.', true),
    );
    expect(answer).toMatchObject({ outcome: 'closed', text: 'Still here.' });
    expect(goesOn).toBe(true);
  });

  it('service/phone-large-frame-ends-the-connection: from 65,537 bytes on', async () => {
    const sized = (bytes: number) => {
      const empty = JSON.stringify(piece('', true));
      return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
    };
    const largest = await callWithAnswer(sized(limits.phoneFrameBytes));
    expect(largest.answer).toMatchObject({ outcome: 'closed', pieces: 1 });
    expect(largest).toMatchObject({ goesOn: true, code: 1000 });
    const { answer, goesOn, sent, code } = await callWithAnswer(sized(limits.phoneFrameBytes + 1));
    expect(answer).toMatchObject({ outcome: 'call-ended', text: '' });
    expect({ goesOn, sent, code }).toEqual({ goesOn: false, sent: ['session.started', 'prompt'], code: 1009 });
  });
});

describe('skills', () => {
  const said = piece('Done.', true);

  it('service/phone-takes-skills-by-key-or-id', async () => {
    for (const skill of [{ executeSkills: ['urgent'] }, { executeSkills: [2] }, { key: 'urgent' }, { key: 2 }]) {
      const { results, goesOn } = await callWithAnswer({ type: 'skill', ...skill, note: 'It burns.' }, said);
      expect(results, JSON.stringify(skill)).toEqual([{ key: 'urgent', ok: true }]);
      expect(goesOn).toBe(true);
    }
  });

  it('service/phone-skill-result-per-skill', async () => {
    const { results } = await callWithAnswer({ type: 'skill', executeSkills: ['urgent', 'nobody', 99] }, said);
    expect(results).toHaveLength(3);
    for (const { key, ok, reason } of results) {
      expect([typeof key, typeof ok]).toEqual(['string', 'boolean']);
      expect(reason === undefined).toBe(ok);
    }
    expect(results.map(({ key }) => key)).toEqual(['urgent', 'nobody', '99']);
  });

  it('service/phone-refuses-skills-with-a-reason', async () => {
    expect((await callWithAnswer({ type: 'skill', key: 'nobody' }, said)).results).toEqual([
      { key: 'nobody', ok: false, reason: 'unknown-skill' },
    ]);
    expect((await callWithAnswer({ type: 'skill', executeSkills: ['urgent', 'urgent'] }, said)).results).toEqual([
      { key: 'urgent', ok: true },
      { key: 'urgent', ok: false, reason: 'not-allowed' },
    ]);
    const forwards = [
      { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null },
      { id: 4, key: 'boss', name: 'Boss', kind: 'forward', announcement: null },
    ] as const;
    phone.answerWith(({ type }, say) => {
      if (type === 'prompt') say({ type: 'skill', executeSkills: ['sales', 'boss'] });
    });
    await session.phone.hold({ label: 'two forwards', started: { skills: [...forwards] } }, (call) =>
      call.ask('Hello?'),
    );
    const results = framesOf(phone.calls.at(-1) as RecordedCall).filter(({ type }) => type === 'skill.result');
    expect(results).toContainEqual({ type: 'skill.result', key: 'boss', ok: false, reason: 'one-forward-per-turn' });
    expect(results).toContainEqual({ type: 'skill.result', key: 'sales', ok: true });
  });
});
