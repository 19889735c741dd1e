import { expect, it } from 'vitest';
import type { SnippetTopic } from '../../../diagnosis/cause.ts';
import { standInCall, connectCall, upgradeStatus, type Headers } from './calls.ts';
import { signature, wrongSignatures } from './deliver.ts';
import { secret } from './keys.ts';
import type { Served } from './served-snippets.ts';

/** Topics of snippets that handle phone calls. */
export const phoneTopics: readonly SnippetTopic[] = ['verify-call', 'stream-phone-answers'];
const callId = 'call_7fQ-1';

/** Checks that the phone snippets of one framework do what their documentation says. */
export function phoneCases(name: string, the: { served: Served }): void {
  const isStandIn = name === 'Spring';
  const ask = (headers: Headers) => upgradeStatus(`${the.served.url('verify-call')}/voice`, headers, isStandIn);
  const openCall = async () => {
    const url = `${the.served.url('stream-phone-answers')}/voice`;
    return isStandIn ? standInCall(url) : connectCall(url.replace('http', 'ws'));
  };

  it('verify-call accepts a call that is signed over its id', async () => {
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
    // Uvicorn may refuse these itself, before it calls the app.
    if (name === 'FastAPI')
      statuses['bytes that are no ASCII'] = Math.min(statuses['bytes that are no ASCII'] ?? 0, refused);
    expect(statuses).toEqual(Object.fromEntries(Object.keys(statuses).map((what) => [what, refused])));
  });

  it('stream-phone-answers answers, closes its answers, and stops', async () => {
    using call = await openCall();
    using other = await openCall();
    for (const one of [call, other])
      await one.say({ type: 'session.started', protocol: '2026-10-11', callId, skills: [] });
    await call.say({ type: 'a.later.type', added: true });
    expect(await call.rest()).toBe(0);

    await call.say({ type: 'prompt', text: 'Grüße 😀' });
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
    await call.say({ type: 'prompt', text: long });
    await call.until(() => call.pieces.length >= 3);
    await call.say({ type: 'interrupt', spokenUntilInterrupt: 'You' });
    await call.rest();
    expect(await call.rest()).toBe(0);
    expect(call.pieces.some(({ last }) => last)).toBe(false);

    // A sentence during an answer replaces that answer.
    call.pieces.length = 0;
    await call.say({ type: 'prompt', text: long });
    await call.until(() => call.pieces.length >= 2);
    await call.say({ type: 'prompt', text: 'second' });
    await call.until(() => call.pieces.at(-1)?.last === true);
    expect(call.pieces.filter(({ last }) => last)).toHaveLength(1);
    expect(call.pieces.at(-2)?.text.trim()).toBe('second');

    call.pieces.length = 0;
    await call.say({ type: 'prompt', text: long });
    await call.until(() => call.pieces.length >= 1);
    await call.say({ type: 'session.ended' });
    await call.rest();
    expect(await call.rest()).toBe(0);
    expect(other.isOpen()).toBe(true);
  });

  it.runIf(isStandIn)('stream-phone-answers drops a waiting piece after an interruption', async () => {
    using call = await openCall();
    await call.say({ type: 'prompt', text: Array.from({ length: 20 }, (_, at) => `word${at}`).join(' ') });
    await call.until(() => call.pieces.length >= 2);
    // A piece takes 30 ms, so one is waiting for the session when the interruption arrives.
    await call.say({ type: 'interrupt', spokenUntilInterrupt: 'You' }, 90);
    expect(await call.rest()).toBe(0);
    expect(call.pieces.some(({ last }) => last)).toBe(false);
  });
}
