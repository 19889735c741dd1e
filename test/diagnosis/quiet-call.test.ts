import { describe, it, vi } from 'vitest';
import { OutOfTime } from '../../diagnosis/connection.ts';
import { diagnoseDialogue } from '../../diagnosis/phone/diagnose-dialogue.ts';
import { PhoneCalls } from '../../diagnosis/phone/phone-calls.ts';
import { plainDialogue, restorePoint, type PlainDialogue } from '../../diagnosis/phone/plain-dialogue.ts';
import { QuietCall } from '../../diagnosis/phone/quiet-call.ts';
import type { PhoneCall } from '../proving/phone-call.ts';
import { correctPhone, type PhoneSeams } from '../proving/phone.ts';
import { openEndpoint } from './open-connection.ts';

/** Milliseconds of silence after a sentence. */
const quietMs = 300;
/** Milliseconds that do not suffice for a repetition. */
const littleMs = 4_900;

/** A correct AI that acts in the silence after a sentence. */
function whenQuiet(act: (call: PhoneCall) => void): Partial<PhoneSeams> {
  const right = correctPhone();
  return {
    hear(frame, call) {
      right.hear(frame, call);
      if (frame.type === 'prompt') setTimeout(() => act(call), quietMs);
    },
  };
}

const saysGoodbye = () => whenQuiet((call) => call.send({ type: 'action', action: 'end', text: 'Goodbye.' }));
const closes = () => whenQuiet((call) => call.socket.close(1001));

/** A correct AI that closes a call when the next one begins. */
function takesTheLatest(): Partial<PhoneSeams> {
  let latest: PhoneCall | undefined;
  return {
    connected(call) {
      latest?.socket.close(1001);
      latest = call;
    },
  };
}

async function open(phone: Partial<PhoneSeams>, withinMs = 60_000) {
  const opened = await openEndpoint('own-ai-phone', { phone }, { withinMs });
  const calls = new PhoneCalls(opened.connection);
  return {
    calls,
    connection: opened.connection,
    async [Symbol.asyncDispose]() {
      await calls[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** Resolves when the first call is over. */
const isOver = async ({ connected }: PhoneCalls) =>
  await vi.waitUntil(() => connected[0]?.end !== undefined, { timeout: 10_000 });

describe.concurrent('a quiet call that is held while others are made', () => {
  it('stays up', async ({ expect }) => {
    await using opened = await open({});
    const quiet = await QuietCall.begin(opened.calls);
    const silence = await quiet?.judge([]);
    expect(silence).toMatchObject({ passed: [expect.stringContaining('stays up')], notObserved: [] });
    expect(silence?.quietMs).toBeGreaterThanOrEqual(0);
  });

  it('has not stayed up if the AI ended it with an action', async ({ expect }) => {
    await using opened = await open(saysGoodbye());
    const quiet = await QuietCall.begin(opened.calls);
    await isOver(opened.calls);
    const silence = await quiet?.judge([]);
    expect(silence).toEqual({ passed: [], notObserved: [expect.stringContaining('an action or a forward')] });
  });

  it('was closed because of others if the only call stays up, whose silence is reported', async ({ expect }) => {
    await using opened = await open(takesTheLatest());
    const quiet = await QuietCall.begin(opened.calls);
    await opened.calls.end(await opened.calls.begin({ label: 'another call' }));
    await isOver(opened.calls);
    const silence = await quiet?.judge([]);
    expect(silence?.notObserved).toEqual([expect.stringContaining('the only call stayed up')]);
    expect(silence?.quietMs).toBeGreaterThanOrEqual(2_000);
  });

  it('is not repeated without the time for it', async ({ expect }) => {
    await using opened = await open(closes(), littleMs);
    const quiet = await QuietCall.begin(opened.calls);
    await isOver(opened.calls);
    const { deliveries } = opened.connection;
    const silence = await quiet?.judge([]);
    expect(silence).toEqual({ passed: [], notObserved: [expect.stringContaining('was not determined')] });
    expect(opened.connection.deliveries).toBe(deliveries);
  });

  it('keeps the result if the time runs out', async ({ expect }) => {
    await using opened = await open(closes());
    const quiet = await QuietCall.begin(opened.calls);
    await isOver(opened.calls);
    opened.calls.assertTime = () => {
      throw new OutOfTime('over');
    };
    const silence = await quiet?.judge([]);
    expect(silence).toEqual({ passed: [], notObserved: [expect.stringContaining('was not determined')] });
  });
});

describe.concurrent('the silence after plain sentences', () => {
  const staysUp = ({ passed }: PlainDialogue) => passed.filter((line) => line.includes('stays up'));

  it('is reported as long as it was', async ({ expect }) => {
    await using opened = await open({});
    const plain = await plainDialogue(opened.calls, [], { count: 1, quietForMs: 2_000 });
    expect(plain.quietMs).toBe(2_000);
    expect(staysUp(plain)).toEqual(['The call stays up while nothing is said for 2.0 s.']);
    const brief = await plainDialogue(opened.calls, [], { count: 1, quietForMs: 150 });
    expect(staysUp(brief)).toEqual([]);
  });

  it('is not reported if the AI ended the call with an action', async ({ expect }) => {
    await using opened = await open(saysGoodbye());
    const plain = await plainDialogue(opened.calls, [], { count: 1 });
    expect(plain.quietMs).toBeUndefined();
    expect(plain.ownEndMs).toBeGreaterThanOrEqual(quietMs - 50);
    expect(staysUp(plain)).toEqual([]);
  });
});

it('removes all results of an attempt that is repeated', ({ expect }) => {
  const plain: PlainDialogue = { suspects: [], lesser: [], passed: ['one'], notObserved: [], text: '' };
  const seen = ['one'];
  const restore = restorePoint(plain, seen);
  plain.suspects.push({ id: 'phone/frames-together-not-handled', why: '' });
  plain.lesser.push({ id: 'phone/speaks-first' });
  for (const list of [plain.passed, plain.notObserved, seen]) list.push('two');
  restore();
  expect({ plain, seen }).toEqual({
    plain: { suspects: [], lesser: [], passed: ['one'], notObserved: [], text: '' },
    seen: ['one'],
  });
});

it(
  'repeats checks without the quiet call if one fails, and reports only the repetition',
  { timeout: 90_000 },
  async ({ expect }) => {
    const right = correctPhone();
    const open = new Set<PhoneCall>();
    let usual: unknown;
    await using opened = await openEndpoint('own-ai-phone', {
      phone: {
        connected: (call) => open.add(call),
        closed: (call) => open.delete(call),
        hear(frame, call) {
          if (frame.type === 'session.started') usual ??= frame.language;
          if (frame.type === 'session.started' && frame.language !== usual && open.size > 1) call.socket.close(1011);
          else right.hear(frame, call);
        },
      },
    });
    const { found, suspects, passed, seen } = await diagnoseDialogue(opened.connection);
    expect({ found, suspects }, seen.join('\n')).toEqual({ found: undefined, suspects: [] });
    expect(passed).toContainEqual(expect.stringContaining('Calls of every documented kind'));
    expect(seen.filter((line) => line.includes('1011'))).toEqual([]);
  },
);
