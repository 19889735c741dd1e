import { describe, expect, it } from 'vitest';
import { limits } from '../../specs/limits.ts';
import {
  ai,
  answering,
  callUrl,
  dial,
  frameBytes,
  longTimeoutMs,
  rawAiOnceBegun,
  until,
  type Ai,
} from './call-server.ts';

const piece = (text: string, last = false) => ({ type: 'text', text, last });
const typesOf = ({ heard }: Ai) => heard.map(({ type }) => type);
const resultsOf = ({ heard }: Ai) =>
  heard.filter(({ type }) => type === 'skill.result').map(({ type: _, ...rest }) => rest);

describe('an action', () => {
  it.each(['end', 'handover'])('%s ends the call: session.ended, then the closing', async (action) => {
    await using endpoint = await answering(piece('Bye.'), { type: 'action', action, text: 'Bye.', note: 'done' });
    const call = await dial(endpoint.url);
    const codes: number[] = [];
    endpoint.calls[0]?.on('close', (code) => codes.push(code));
    expect(await call.ask('Goodbye.')).toMatchObject({ outcome: 'action' });
    expect(call.isUp).toBe(false);
    expect(await call.end()).toMatchObject({ by: 'service', code: 1000, clean: true });
    expect(typesOf(endpoint)).toEqual(['session.started', 'prompt', 'session.ended']);
    await until(() => codes.length > 0);
    expect(codes).toEqual([1000]);
  });

  it('is the last frame that has an effect', async () => {
    await using endpoint = await answering(
      { type: 'action', action: 'end' },
      { type: 'action', action: 'handover' },
      { type: 'skill', key: 'urgent' },
    );
    const call = await dial(endpoint.url);
    await call.ask('Goodbye.');
    await call.end();
    expect(typesOf(endpoint)).toEqual(['session.started', 'prompt', 'session.ended']);
  });

  it('that is not known ends nothing', async () => {
    await using endpoint = await answering(
      { type: 'action', action: 'End' },
      { type: 'action', action: 'none' },
      piece('Yes.', true),
    );
    const call = await dial(endpoint.url);
    expect(await call.ask('Hello?')).toMatchObject({ outcome: 'closed' });
    expect(call.isUp).toBe(true);
    await call.end();
  });
});

describe('a skill', () => {
  /** The outcome of a call whose AI requests this action once. */
  async function askingFor(skill: object): Promise<{ results: object[]; over: boolean; types: unknown[] }> {
    await using endpoint = await ai(({ type }, say) => {
      if (type === 'prompt') [{ type: 'skill', ...skill }, piece('Asked.', true)].forEach(say);
    });
    const call = await dial(endpoint.url);
    await call.ask('Do it.');
    const over = !call.isUp;
    await call.end();
    return { results: resultsOf(endpoint), over, types: typesOf(endpoint) };
  }

  it('that is an alert runs, and the call continues', async () => {
    for (const skill of [{ executeSkills: ['urgent'] }, { executeSkills: [2] }, { key: 'urgent' }])
      expect(await askingFor(skill)).toMatchObject({ results: [{ key: 'urgent', ok: true }], over: false });
  });

  it('that is a forward transfers the caller: its result, then session.ended', async () => {
    const { results, over, types } = await askingFor({ executeSkills: ['sales'], announcement: '' });
    expect({ results, over }).toEqual({ results: [{ key: 'sales', ok: true }], over: true });
    expect(types).toEqual(['session.started', 'prompt', 'skill.result', 'session.ended']);
  });

  it('is refused with the reason, and the call continues', async () => {
    const refused = async (executeSkills: unknown[]) => {
      const { results, over } = await askingFor({ executeSkills });
      expect(over).toBe(false);
      return results;
    };
    expect(await refused(['cook'])).toEqual([{ key: 'cook', ok: false, reason: 'unknown-skill' }]);
    expect(await refused([99])).toEqual([{ key: '99', ok: false, reason: 'unknown-skill' }]);
    expect(await refused(['urgent', 2])).toEqual([
      { key: 'urgent', ok: true },
      { key: 'urgent', ok: false, reason: 'not-allowed' },
    ]);
  });

  it('runs alerts first and one forward last; a second forward and a sixth skill are refused', async () => {
    const { results, over } = await askingFor({ executeSkills: ['sales', 'service', 'urgent'] });
    expect(results).toEqual([
      { key: 'service', ok: false, reason: 'one-forward-per-turn' },
      { key: 'urgent', ok: true },
      { key: 'sales', ok: true },
    ]);
    expect(over).toBe(true);
    const six = await askingFor({ executeSkills: ['a', 'b', 'c', 'd', 'e', 'urgent'] });
    expect(six.results.at(-1)).toEqual({ key: 'urgent', ok: false, reason: 'not-allowed' });
    expect(six.results).toHaveLength(6);
  });

  it('that names nothing gets no result', async () => {
    for (const skill of [
      {},
      { executeSkills: [] },
      { executeSkills: 'urgent' },
      { key: null },
      { executeSkills: [null] },
    ])
      expect((await askingFor(skill)).results).toEqual([]);
  });

  it('has the result that the check sets, in place of the decision of the service', async () => {
    await using endpoint = await answering({ type: 'skill', executeSkills: ['sales', 7] });
    const named: unknown[] = [];
    const call = await dial(endpoint.url, {
      resultsOf: (skills) => {
        named.push(...skills);
        return [{ key: 'sales', ok: false, reason: 'no-answer' }];
      },
    });
    expect(await call.ask('Sales, please.')).toMatchObject({ outcome: 'skill' });
    expect(call.isUp).toBe(true);
    await call.end();
    expect(named).toEqual(['sales', 7]);
    expect(resultsOf(endpoint)).toEqual([{ key: 'sales', ok: false, reason: 'no-answer' }]);
  });
});

describe('a frame over 64 KB', () => {
  const sized = (bytes: number) => {
    const empty = JSON.stringify(piece('', true));
    return empty.replace('"text":""', `"text":"${'x'.repeat(bytes - empty.length)}"`);
  };

  it('ends the connection with 1009, one of exactly that size does not', async () => {
    await using endpoint = await ai(({ type }, say) => {
      if (type === 'prompt') say(sized(limits.phoneFrameBytes));
      if (type === 'dtmf') say(sized(limits.phoneFrameBytes + 1));
    });
    const call = await dial(endpoint.url);
    const codes: number[] = [];
    endpoint.calls[0]?.on('close', (code) => codes.push(code));
    expect(await call.ask('Hello?')).toMatchObject({ outcome: 'closed', pieces: 1 });
    const index = call.press('1');
    expect(await call.answer(index)).toMatchObject({ outcome: 'call-ended', byFrame: index + 1, text: '' });
    expect(await call.end()).toMatchObject({ by: 'service', clean: true });
    await until(() => codes.length > 0);
    expect(codes).toEqual([1009]);
    expect(typesOf(endpoint)).toEqual(['session.started', 'prompt', 'dtmf']);
  });

  it('that comes in fragments counts as a whole', async () => {
    await using server = await rawAiOnceBegun((socket) => {
      const bytes = Buffer.from(sized(limits.phoneFrameBytes + 1));
      socket.write(frameBytes(bytes.subarray(0, 40_000), { fin: false }));
      socket.write(frameBytes(bytes.subarray(40_000), { kind: 'continuation' }));
    });
    const call = await dial(callUrl(server), { timeouts: { firstPieceMs: longTimeoutMs } });
    expect(await call.answer(0)).toMatchObject({ outcome: 'call-ended', byFrame: 1 });
    expect(call.observation.frames[1]?.bytes).toBe(limits.phoneFrameBytes + 1);
    await call.vanish('end');
  });
});
