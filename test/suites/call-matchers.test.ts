import { describe, expect, it } from 'vitest';
import {
  quoted,
  toBeAnswered,
  toBeClosed,
  toBeConnected,
  toBeConnectedInTime,
  toBeRefusedWith4xx,
  toBeRejected,
  toHaveAnswered,
  toHaveClosedItsAnswers,
  toHaveSpoken,
  toStayUp,
} from '../../suites/matchers/call-matchers.ts';
import { answered, answerTo, call, closed, ended, frame, noAnswer } from './made-observations.ts';

const speech = frame('ai', { type: 'text', text: 'Yes.', last: false });
const ignored = frame('ai', { type: 'mood' });
const [prompt] = call().frames;
if (!prompt) throw new Error('A call has a first sentence.');

describe('an upgrade', () => {
  it('is accepted by 101 alone', () => {
    expect(toBeConnected(call())).toBeUndefined();
    expect(toBeConnected(call({ answer: answered(200) }))).toMatchObject({ part: { status: true } });
  });

  it('is judged against its limit', () => {
    const after = (totalMs: number | null, lagMs = 0) =>
      call({ limitMs: 500, times: { connectMs: 1, firstByteMs: 2, totalMs, lagMs } });
    expect(toBeConnectedInTime(after(500))).toBeUndefined();
    expect(toBeConnectedInTime(after(501))).toMatchObject({
      received: 'a connection after 501 ms',
      part: { time: true },
    });
    expect(() => toBeConnectedInTime(after(600, 200))).toThrow(expect.objectContaining({ code: 'own-delay' }));
    expect(() => toBeConnectedInTime(call({ limitMs: 500, answer: answered(401) }))).toThrow(/401/);
    expect(() => toBeConnectedInTime(call())).toThrow(TypeError);
    const none = { ...after(null), answer: noAnswer };
    expect(toBeConnectedInTime(none)).toMatchObject({ part: { time: true } });
  });

  it('is rejected if it is refused, or closed by the AI before it speaks', () => {
    const rejected = (over: Parameters<typeof call>[0]) => toBeRejected(call(over), 'it');
    expect(rejected({ answer: answered(401) })).toBeUndefined();
    expect(rejected({ end: ended('ai') })).toBeUndefined();
    expect(rejected({ end: ended('ai'), frames: [prompt, ignored] })).toBeUndefined();
    expect(rejected({ end: ended('service') })).toMatchObject({
      received: expect.stringMatching(/stayed open/) as string,
    });
    expect(rejected({})).toMatchObject({ part: { status: true } });
    expect(rejected({ end: ended('ai'), frames: [speech] })).toMatchObject({ frame: 0 });
    expect(rejected({ end: ended('ai'), frames: [prompt, ignored, speech] })).toMatchObject({ frame: 2 });
    expect(() => rejected({ answer: closed })).toThrow(/neither accepts nor refuses/);
  });

  it.each([399, 400, 499, 500])('that is answered %i', (status) => {
    const finding = toBeRefusedWith4xx(call({ answer: answered(status) }), 'it');
    if (status === 400 || status === 499) expect(finding).toBeUndefined();
    else expect(finding).toMatchObject({ received: `status ${status} without a body`, hint: undefined });
  });

  it('that is accepted and closed at once is checked too late', () => {
    const finding = toBeRefusedWith4xx(call({ end: ended('ai', { code: 4001 }) }), 'it');
    expect(finding).toMatchObject({ received: 'a connection that was closed at once (4001)' });
    expect(finding?.hint).toMatch(/before the upgrade is answered/);
  });
});

describe('a call', () => {
  it('stays up until we end it, or an action or session.ended comes', () => {
    expect(toStayUp(call())).toBeUndefined();
    expect(toStayUp(call({ end: ended('service') }))).toBeUndefined();
    for (const over of [
      frame('ai', { type: 'action', action: 'end' }),
      frame('service', { type: 'session.ended' }),
      frame('ai', {}, { bytes: 65_537 }),
    ]) {
      expect(toStayUp(call({ end: ended('ai'), frames: [prompt, over] }))).toBeUndefined();
    }
    expect(toStayUp(call({ end: ended('ai'), framesOmitted: 1 }))).toBeUndefined();
  });

  it('that the AI ends is not', () => {
    const frames = [
      prompt,
      frame('ai', { type: 'session.ended' }),
      frame('service', { type: 'action', action: 'end' }),
    ];
    expect(toStayUp(call({ end: ended('ai', { detail: 'broken' }), frames }))).toMatchObject({
      received: expect.stringMatching(/after 900 ms with code 1006: broken, after \{"type":"action"/) as string,
      frame: 2,
    });
    expect(toStayUp(call({ end: ended('ai'), frames: [] }))?.received).toMatch(/after no frame$/);
  });

  it('that we cut off is not judged', () => {
    const flooded = call({ end: ended('ai', { isCutOff: true, detail: 'much' }), answers: [answerTo('not-closed')] });
    const cutOff = call({ end: ended('ai', { isCutOff: true }), answers: [answerTo('call-ended')] });
    expect(() => toBeAnswered(cutOff)).toThrow(expect.objectContaining({ code: 'not-read' }));
    for (const judge of [toStayUp, toBeClosed]) {
      expect(() => judge(flooded)).toThrow(expect.objectContaining({ code: 'not-read' }));
    }
  });
});

describe('an answer', () => {
  const withAnswer = (answer: ReturnType<typeof answerTo>, over: Parameters<typeof call>[0] = {}) =>
    call({ answers: [answer], ...over });

  it.each(['begun', 'closed', 'action', 'skill', 'not-closed'] as const)('that is %s is one', (outcome) => {
    expect(toBeAnswered(withAnswer(answerTo(outcome)))).toBeUndefined();
  });

  it('may be only an empty closing piece, unless words were due', () => {
    const empty = answerTo('closed', { pieces: 0 });
    expect(toBeAnswered(withAnswer(empty))).toBeUndefined();
    const unheard = answerTo('closed', { pieces: 0, isUnheard: true });
    expect(toBeAnswered(withAnswer(unheard))?.received).toMatch(/^only an empty closing piece/);
  });

  it('must come, and an ignored frame after the sentence is shown', () => {
    expect(toBeAnswered(withAnswer(answerTo('nothing')))).toMatchObject({
      expected: 'speech, an action or a skill in answer to “Hello?”',
      received: 'nothing within 4000 ms',
      frame: 0,
    });
    const frames = [ignored, prompt, frame('service', { type: 'mood' }), ignored];
    const finding = toBeAnswered(withAnswer(answerTo('nothing', { toFrame: 1 }), { frames }));
    expect(finding).toMatchObject({ frame: 3, hint: expect.stringMatching(/ignores the frame/) as string });
    const own = withAnswer(answerTo('nothing', { toFrame: 0 }), { frames: [ignored] });
    expect(toBeAnswered(own)).toMatchObject({ frame: 0, expected: expect.stringMatching(/answer to mood$/) as string });
  });

  it('that was not read is not judged', () => {
    const unread = frame('ai', '', { unread: 'more than 500 levels', value: undefined });
    const judge = (frames: (typeof unread)[]) => () => toBeAnswered(withAnswer(answerTo('nothing'), { frames }));
    expect(judge([prompt, unread])).toThrow(expect.objectContaining({ code: 'not-read' }));
    expect(judge([unread])).not.toThrow();
  });

  it('is missing if the connection ended, unless the AI or we had ended it', () => {
    const over =
      (...frames: (typeof prompt)[]) =>
      () =>
        toBeAnswered(
          withAnswer(answerTo('call-ended'), { frames: [prompt, ...frames], end: ended('ai', { detail: 'broken' }) }),
        );
    expect(over()()).toMatchObject({
      received: 'a connection that was ended by the AI with code 1006 (broken)',
      frame: 0,
    });
    expect(toBeAnswered(withAnswer(answerTo('call-ended')))?.received).toBe('a connection that ended');
    expect(toBeAnswered(withAnswer(answerTo('call-ended'), { end: ended('service') }))?.received).toMatch(/by us/);
    expect(over(frame('ai', {}, { bytes: 65_537 }))).toThrow(expect.objectContaining({ code: 'control-failed' }));
    expect(over(frame('ai', { type: 'action', action: 'end' }))).toThrow(/action of the AI/);
    const skill = frame('ai', { type: 'skill', executeSkills: ['sales'] });
    expect(over(skill, frame('service', { type: 'session.ended' }))).toThrow(/put the caller through/);
    expect(over(skill)()).toBeDefined();
    expect(over(frame('service', { type: 'session.ended' }))()).toBeDefined();
    expect(() => toBeAnswered(call())).toThrow(expect.objectContaining({ code: 'control-failed' }));
  });

  it('is looked for by its number', () => {
    const [good, none] = [answerTo('closed'), answerTo('nothing')];
    expect(toHaveAnswered(call({ answers: [none, good] }), 2)).toBeUndefined();
    expect(toHaveAnswered(call({ answers: [none, good] }), 1)).toBeDefined();
    expect(toHaveAnswered(call({ answers: [good] }), 2)).toMatchObject({ received: '1 answers' });
    expect(toHaveAnswered(call({ answers: [good], end: ended('ai') }), 2)?.received).toMatch(/closed by the AI/);
    expect(toHaveAnswered(call({ answers: [none] }), 2)?.received).toMatch(/^nothing/);
  });

  it('has words: one that is closed without any is not heard', () => {
    expect(toHaveSpoken(call({ answers: [answerTo('closed'), answerTo('closed', { pieces: 1 })] }))).toBeUndefined();
    expect(toHaveSpoken(call({ answers: [answerTo('action')] }))).toBeUndefined();
    expect(toHaveSpoken(call({ answers: [answerTo('closed', { byFrame: 0 })] }))).toMatchObject({ frame: 0 });
    expect(toHaveSpoken(call({ answers: [answerTo('closed')] }))).not.toHaveProperty('frame');
  });

  it('of which no piece is the last one is not closed', () => {
    const open = answerTo('not-closed', { pieces: 2, text: 'Yes.', toFrame: 1 });
    const frames = [speech, prompt, speech, speech, prompt];
    expect(toBeClosed(withAnswer(open, { frames }))).toMatchObject({
      received: '2 pieces (“Yes.”), none with last: true, then nothing more',
      frame: 3,
    });
    expect(toBeClosed(withAnswer({ ...open, pieces: 1 }, { frames }))?.received).toMatch(/^1 piece \(/);
    expect(toBeClosed(withAnswer(answerTo('closed')))).toBeUndefined();
    expect(toHaveClosedItsAnswers(call({ answers: [answerTo('closed'), open], frames }))).toMatchObject({ frame: 3 });
    expect(toHaveClosedItsAnswers(call({ answers: [answerTo('closed')] }))).toBeUndefined();
    expect(() => toBeClosed(withAnswer({ ...open, shortened: true }))).toThrow(/./);
    expect(() => toBeClosed(call())).toThrow(expect.objectContaining({ code: 'control-failed' }));
  });

  it('is quoted up to 80 characters', () => {
    const written = frame('ai', { type: 'x'.repeat(80 - '{"type":""}'.length) });
    const nothing = withAnswer(answerTo('nothing'), { frames: [prompt, written] });
    expect(toBeAnswered(nothing)?.hint).toContain(`${written.text}.`);
    expect(quoted('x'.repeat(80))).toBe(`“${'x'.repeat(80)}”`);
    expect(quoted('x'.repeat(81))).toBe(`“${'x'.repeat(80)}…”`);
  });
});
