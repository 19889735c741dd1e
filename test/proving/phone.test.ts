import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { setUp, startEndpoint, type RunningEndpoint } from './endpoint.ts';
import { callerSentences } from './phone.ts';
import { sign } from './signature.ts';
import { pause } from './wire.ts';

/** Milliseconds in which an unfinished answer sends at least one more piece. */
const quietMs = 150;

type Frame = Record<string, unknown>;

const now = () => Math.floor(Date.now() / 1000);

function signed(callId: string, t = now(), secret: string = setUp.agentSecret): Record<string, string> {
  return { 'X-Svc-Call-Id': callId, 'X-Svc-Signature': `t=${t},v1=${sign(secret, t, callId)}` };
}

/** Dials and returns the status of a refusal, or 101. */
async function dial(endpoint: RunningEndpoint, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(endpoint.voice, { headers });
  socket.on('error', () => undefined);
  return await new Promise<number>((resolve) => {
    socket.once('open', () => {
      socket.close();
      resolve(101);
    });
    socket.once('unexpected-response', (_, response) => {
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
  });
}

class TestCall {
  readonly frames: Frame[] = [];
  readonly #socket: WebSocket;
  #more: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString('utf8')) as Frame);
      this.#more();
    });
  }

  static async open(endpoint: RunningEndpoint, session: Frame = {}): Promise<TestCall> {
    const socket = new WebSocket(endpoint.voice, { headers: signed('call-1') });
    await once(socket, 'open');
    const call = new TestCall(socket);
    call.send({
      type: 'session.started',
      protocol: '2026-10-11',
      callId: 'call-1',
      language: 'de-DE',
      contact: { id: 1, name: 'Erika Beispiel' },
      skills: setUp.skills,
      ...session,
    });
    return call;
  }

  send(frame: Frame): void {
    this.#socket.send(JSON.stringify(frame));
  }

  say(text: string): void {
    this.send({ type: 'prompt', text });
  }

  /** Waits until the frames so far meet this condition. */
  async until(isEnough: (frames: readonly Frame[]) => boolean): Promise<void> {
    while (!isEnough(this.frames)) await new Promise<void>((resolve) => (this.#more = resolve));
  }

  /** Reads the frames up to the one that closes the answer, and returns their text. */
  async answer(): Promise<string> {
    await this.until((frames) => frames.some(({ last }) => last === true));
    const end = this.frames.findIndex(({ last }) => last === true) + 1;
    return this.frames
      .splice(0, end)
      .map(({ text }) => text as string)
      .join('');
  }

  async close(): Promise<number> {
    this.send({ type: 'session.ended' });
    this.#socket.close(1000);
    const [code] = (await once(this.#socket, 'close')) as [number];
    return code;
  }
}

describe('the correct endpoint on the phone', () => {
  it('accepts only a signed call', async () => {
    await using endpoint = await startEndpoint();
    expect(await dial(endpoint, signed('a'))).toBe(101);
    expect(await dial(endpoint, signed('a', now() - 280))).toBe(101);
    expect(await dial(endpoint, {})).toBe(401);
    expect(await dial(endpoint, { ...signed('a'), 'X-Svc-Call-Id': 'b' })).toBe(401);
    expect(await dial(endpoint, signed('a', now(), 'whsec_other'))).toBe(401);
    expect(await dial(endpoint, signed('a', now() - 320))).toBe(401);
    expect(await dial(endpoint, signed('a', now() + 320))).toBe(401);
    const { 'X-Svc-Signature': overNothing = '' } = signed('');
    expect(await dial(endpoint, { 'X-Svc-Signature': overNothing })).toBe(401);
  });

  it('holds a call and lets the service close it', async () => {
    await using endpoint = await startEndpoint();
    const call = await TestCall.open(endpoint);
    for (let time = 0; time < 3; time++) {
      call.say(callerSentences.answer);
      expect(await call.answer()).toContain('ten o’clock');
      call.send({ type: 'dtmf', digit: '#' });
      call.send({ type: 'something.new', text: callerSentences.answer });
    }
    call.say(callerSentences.skill);
    await call.answer();
    await call.until((frames) => frames.length > 0);
    expect(call.frames.splice(0)).toEqual([{ type: 'skill', executeSkills: ['urgent'] }]);
    call.send({ type: 'skill.result', key: 'urgent', ok: false, reason: 'no-recipient' });
    call.say('Eins & zwei');
    expect(await call.answer()).toContain('Eins & zwei');
    expect(await call.close()).toBe(1000);
    expect(call.frames).toEqual([]);
  });

  it('stops at an interrupt and answers the next sentence separately', async () => {
    await using endpoint = await startEndpoint();
    const call = await TestCall.open(endpoint);
    call.say(callerSentences.long);
    await call.until((frames) => frames.length >= 3);
    call.send({ type: 'interrupt', spokenUntilInterrupt: 'In the year' });
    // Speech that was sent before the interrupt may still arrive.
    await pause(3 * quietMs);
    const { length } = call.frames;
    await pause(quietMs);
    expect(call.frames).toHaveLength(length);
    call.say(callerSentences.answer);
    expect(await call.answer()).toMatch(/house\. Yes, on Thursday at ten o’clock\.$/);
    expect(await call.close()).toBe(1000);
  });

  it('closes an answer that another sentence interrupts', async () => {
    await using endpoint = await startEndpoint();
    const call = await TestCall.open(endpoint);
    call.say(callerSentences.long);
    await call.until((frames) => frames.length >= 2);
    call.say(callerSentences.answer);
    expect(await call.answer()).toContain('1980');
    expect(await call.answer()).toBe('Yes, on Thursday at ten o’clock.');
    await call.close();
  });

  it('says nothing unprompted, except after a failed takeover', async () => {
    await using endpoint = await startEndpoint();
    const fresh = await TestCall.open(endpoint);
    fresh.say(callerSentences.end);
    await fresh.until((frames) => frames.length > 0);
    expect(fresh.frames).toEqual([{ type: 'action', action: 'end', text: 'Good bye.' }]);
    const resumed = await TestCall.open(endpoint, { resumed: 'handover_failed' });
    expect(await resumed.answer()).toContain('nobody picked up');
  });
});
