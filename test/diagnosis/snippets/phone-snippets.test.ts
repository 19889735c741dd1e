import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { SnippetTopic } from '../../../diagnosis/cause.ts';
import { signature, wrongSignatures } from './deliver.ts';
import { frameworks, type Served } from './served-snippets.ts';

const topics: SnippetTopic[] = ['verify-call', 'speak-on-the-phone'];
const secret = 'whsec_c2VjcmV0IG9mIGEgdGVzdA==';
const callId = 'call_7fQ-1';
/** Milliseconds without a piece after which nobody speaks any more; a piece comes every 30. */
const silenceMs = 400;

type Headers = Record<string, string | string[]>;

/** 101 when the upgrade is let through, else the status of the refusal. */
function upgrade(url: string, headers: Headers): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = new WebSocket(url, { headers: headers as Record<string, string> });
    call.on('open', () => {
      call.terminate();
      resolve(101);
    });
    call.on('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject);
  });
}

/** The same asked of our stand-in for Spring, which only decides: 204 for an upgrade that would be let through. */
function decision(url: string, headers: Headers): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 204 ? 101 : (response.statusCode ?? 0));
    }).on('error', reject);
  });
}

interface Piece {
  type: string;
  text: string;
  last: boolean;
}

/** A call that stands, with the pieces that came. */
async function standingCall(url: string) {
  const call = new WebSocket(url);
  const pieces: Piece[] = [];
  const waiting = new Set<() => void>();
  call.on('message', (data: Buffer) => {
    pieces.push(JSON.parse(data.toString('utf8')));
    waiting.forEach((look) => look());
  });
  await new Promise((resolve, reject) => call.once('open', resolve).once('error', reject));
  return {
    pieces,
    say: (frame: object) => call.send(JSON.stringify(frame)),
    /** Waits until the pieces fit. */
    until: (fits: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!fits()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    /** Pieces that came in a while of silence. */
    rest: async () => {
      const before = pieces.length;
      await new Promise((wake) => setTimeout(wake, silenceMs));
      return pieces.length - before;
    },
    isOpen: () => call.readyState === WebSocket.OPEN,
    [Symbol.dispose]: () => call.terminate(),
  };
}

const title = (name: string, missing: string | undefined) =>
  missing === undefined ? name : `${name} (not here: ${missing})`;

for (const [name, framework] of Object.entries(frameworks)) {
  const missing = await framework.missing(topics);
  // All start at once: compiling takes its time.
  const starting = missing === undefined ? framework.serve(topics, { AGENT_SECRET: secret }) : undefined;
  describe.skipIf(missing !== undefined)(title(name, missing), { concurrent: true }, () => {
    let served: Served;
    beforeAll(async () => {
      if (starting) served = await starting;
    });
    afterAll(async () => served?.[Symbol.asyncDispose]());

    const isStandIn = name === 'Spring';
    const ask = (headers: Headers) => {
      const url = `${served.url('verify-call')}/voice`;
      return isStandIn ? decision(url, headers) : upgrade(url.replace('http', 'ws'), headers);
    };

    it('verify-call lets a call in that is signed over its id', async () => {
      for (const off of [0, -290, 290])
        expect(await ask({ 'X-Svc-Call-Id': callId, 'X-Svc-Signature': signature(secret, callId, { off }) })).toBe(101);
    });

    it('verify-call refuses every other upgrade with a status of 4xx', async () => {
      const statuses: Record<string, number> = {};
      for (const [what, values] of Object.entries(wrongSignatures(secret, callId))) {
        const headers = values.length === 0 ? {} : { 'X-Svc-Signature': values.length === 1 ? values[0]! : values };
        statuses[what] = await ask({ 'X-Svc-Call-Id': callId, ...headers });
      }
      statuses['no call id'] = await ask({ 'X-Svc-Signature': signature(secret, '') });
      statuses['another call id'] = await ask({
        'X-Svc-Call-Id': 'call_8',
        'X-Svc-Signature': signature(secret, callId),
      });
      statuses['signed over nothing'] = await ask({
        'X-Svc-Call-Id': callId,
        'X-Svc-Signature': signature(secret, ''),
      });
      const refused = name === 'FastAPI' ? 403 : 401;
      // Uvicorn may refuse these itself, before it asks the app.
      if (name === 'FastAPI')
        statuses['bytes that are no ASCII'] = Math.min(statuses['bytes that are no ASCII'] ?? 0, refused);
      expect(statuses).toEqual(Object.fromEntries(Object.keys(statuses).map((what) => [what, refused])));
    });

    // Compiled only: nothing of ours stands in for the WebSocket of Spring.
    it.skipIf(isStandIn)('speak-on-the-phone speaks when it is asked, closes its answers, and stops', async () => {
      const url = `${served.url('speak-on-the-phone').replace('http', 'ws')}/voice`;
      using call = await standingCall(url);
      using other = await standingCall(url);
      for (const one of [call, other]) one.say({ type: 'session.started', protocol: '2026-10-11', callId, skills: [] });
      call.say({ type: 'a.later.type', added: true });
      expect(await call.rest()).toBe(0);

      call.say({ type: 'prompt', text: 'Grüße 😀' });
      await call.until(() => call.pieces.at(-1)?.last === true);
      expect(
        call.pieces
          .map(({ text }) => text)
          .join('')
          .trim(),
      ).toBe('You said: Grüße 😀');
      expect(call.pieces.filter(({ last }) => last)).toHaveLength(1);
      expect(other.pieces).toEqual([]);

      const long = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ');
      call.pieces.length = 0;
      call.say({ type: 'prompt', text: long });
      await call.until(() => call.pieces.length >= 3);
      call.say({ type: 'interrupt', spokenUntilInterrupt: 'You' });
      await call.rest();
      expect(await call.rest()).toBe(0);
      expect(call.pieces.some(({ last }) => last)).toBe(false);

      // A sentence that comes while an answer runs replaces it.
      call.pieces.length = 0;
      call.say({ type: 'prompt', text: long });
      await call.until(() => call.pieces.length >= 2);
      call.say({ type: 'prompt', text: 'second' });
      await call.until(() => call.pieces.at(-1)?.last === true);
      expect(call.pieces.filter(({ last }) => last)).toHaveLength(1);
      expect(call.pieces.at(-2)?.text.trim()).toBe('second');

      call.pieces.length = 0;
      call.say({ type: 'prompt', text: long });
      await call.until(() => call.pieces.length >= 1);
      call.say({ type: 'session.ended' });
      await call.rest();
      expect(await call.rest()).toBe(0);
      expect(other.isOpen()).toBe(true);
    });
  });
}
