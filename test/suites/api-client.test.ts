import { describe, expect, it } from 'vitest';
import { HarnessFault, NotExercised } from '../../harness/checks/faults.ts';
import { ClientTroubles } from '../../harness/client/client-troubles.ts';
import { apiClient } from '../../specs/requirements/api-client.ts';
import type { Requirement } from '../../specs/requirements/requirement.ts';
import { judgeTraffic, endUnjudged } from '../../suites/api-client/check-rules.ts';
import { readTraffic } from '../../suites/api-client/traffic.ts';
import { conductCases } from './api-client-conduct.ts';
import { requestCases } from './api-client-requests.ts';
import { allRules, ruleOf, traffic, verdict, type Sketch } from './api-exchanges.ts';

const cases = [...requestCases, ...conductCases];
const describeSketches = (sketches: readonly Sketch[]) =>
  sketches
    .slice(0, 3)
    .map(
      ({ method = 'POST', path, body, key }) =>
        `${method} ${path} ${JSON.stringify(body ?? '').slice(0, 60)} ${key ?? ''}`,
    )
    .join(', ');

describe('the rules about API clients', () => {
  it('exist for each observable requirement', () => {
    const observable = Object.entries(apiClient as Record<string, Requirement>)
      .filter(([, { unobservable }]) => unobservable === undefined)
      .map(([id]) => id);
    expect(allRules.map(({ requirement }) => requirement).toSorted()).toEqual(observable.toSorted());
  });

  it('each have examples that pass, that fail and that give nothing to judge', () => {
    expect(cases.map(({ rule }) => `api-client/${rule}`).toSorted()).toEqual(
      allRules.map(({ requirement }) => requirement).toSorted(),
    );
    for (const { rule, holds, fails, nothing } of cases) {
      expect(
        [holds, fails, nothing].every((list) => list.length > 0),
        rule,
      ).toBe(true);
    }
  });

  it('do not judge a client that sent nothing', () => {
    expect(
      allRules.filter(({ requirement }) => verdict(requirement.slice('api-client/'.length), traffic()) !== 'nothing'),
    ).toEqual([]);
  });
});

describe('a rule with nothing to judge', () => {
  const notExercised = (why: string): never => {
    throw new NotExercised(why);
  };
  const sent = traffic({ method: 'GET', path: '/v1/me' });

  it('reports what it needs', () => {
    expect(() => endUnjudged(sent, 'No note.', notExercised)).toThrow(new NotExercised('No note.'));
    expect(() => endUnjudged(traffic(), 'No note.', notExercised)).toThrow('The client sent no request.');
  });

  it('gives no verdict about a client with unrecorded requests', () => {
    const some = { ...sent, omitted: '3 requests of the client were not kept.' };
    expect(() => endUnjudged(some, 'No note.', notExercised)).toThrow(
      new HarnessFault('not-read:omitted', { omitted: some.omitted }),
    );
  });

  it('gives no verdict about a client that failed', () => {
    expect(() => endUnjudged({ ...sent, failure: 'It ended with code 1.' }, 'No note.', notExercised)).toThrow(
      expect.objectContaining({ code: 'client-failed', message: 'It ended with code 1.' }),
    );
  });
});

describe('a body that is nested very deeply', () => {
  const depth = 20_000;
  const deep = `{"contactId":7,"text":"Ready.","more":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
  const one: Sketch = { path: '/v1/messages', body: deep };

  it.each(allRules.map(({ requirement }) => requirement.slice('api-client/'.length)))('breaks no rule: %s', (rule) => {
    const deepLog: Sketch = { ...one, path: '/v1/messages/log' };
    const target: Sketch = { path: '/v1/notes', body: deep.replace('"more"', '"target"') };
    const text: Sketch = { path: '/v1/notes', body: deep.replace('"more"', '"title"') };
    const test: Sketch = { path: '/v1/agents/3/test', body: deep };
    expect(verdict(rule, traffic(one, deepLog, target, text, test))).toEqual(expect.any(String));
  });

  it('gets a trouble once', () => {
    const troubles = new ClientTroubles();
    const request = { method: 'POST', url: '/v1/messages', body: Buffer.from(deep) };
    expect([troubles.meet(request)?.name, troubles.meet(request)?.name]).toEqual(['cut', undefined]);
  });

  it('is recognised when it comes again', () => {
    const cut = { ...one, key: 'a', ended: 'cut' } as const;
    expect(verdict('retry-keeps-its-key', traffic(cut, { ...one, key: 'b' }))).toContain('received "b"');
  });
});

describe.each(cases)('$rule', ({ rule, holds, fails, nothing }) => {
  it.each(holds.map((sketches) => [describeSketches(sketches), sketches] as const))('passes for %s', (_, sketches) => {
    expect(verdict(rule, traffic(...sketches))).toBe('holds');
  });

  it.each(fails.map(([sketches, part]) => [describeSketches(sketches), sketches, part] as const))(
    'fails for %s',
    (_, sketches, part) => {
      const said = verdict(rule, traffic(...sketches));
      expect(said).toMatch(/^expected .+, received .+/);
      expect(said).toContain(part);
    },
  );

  it.each(nothing.map((sketches) => [describeSketches(sketches), sketches] as const))(
    'has nothing to judge in %s',
    (_, sketches) => {
      expect(verdict(rule, traffic(...sketches))).toBe('nothing');
    },
  );
});

describe('a client with unrecorded requests', () => {
  const notExercised = (why: string): never => {
    throw new NotExercised(why);
  };
  const rule = ruleOf('carries-an-api-key');
  const omitted = '3 requests of the client were not kept.';
  const judging =
    (...sketches: Sketch[]) =>
    () =>
      judgeTraffic(rule, { ...traffic(...sketches), omitted }, { notExercised });

  it('passes nothing', () => {
    const sent = { method: 'GET', path: '/v1/me' };
    expect(() => judgeTraffic(rule, traffic(sent), { notExercised })).not.toThrow();
    expect(judging(sent)).toThrow(new HarnessFault('not-read:omitted', { omitted: omitted }));
  });

  it('still fails because of recorded requests', () => {
    expect(judging({ method: 'GET', path: '/v1/me', headers: { 'X-Api-Key': '' } })).toThrow(/^expected .*X-Api-Key/);
  });
});

describe('a request to a path that is not listed', () => {
  const hintFor = (path: string) =>
    ruleOf('uses-listed-paths')
      .judge(readTraffic(traffic({ path, body: {} })))
      .map(({ finding }) => finding?.hint);

  it('is reported with the nearest one', () => {
    expect(hintFor('/v1/note')).toEqual(['The nearest listed path is /v1/notes.']);
    expect(hintFor('/v1/notes/')).toEqual(['Write it as listed: single slashes, none at the end, lower case.']);
    expect(hintFor('/v1/x')).toEqual([undefined]);
  });
});

describe('a client that was ended while it was still running', () => {
  const ready = { path: '/v1/messages', body: { contactId: 7, text: 'Ready.' } };
  const misspelled = { ...ready, path: '/v1/messages/send', status: 404 };
  const cutShort = (...sketches: Sketch[]) => ({ ...traffic(...sketches), cutShort: true as const });
  const rule = 'requests-take-effect';

  it('may not yet have sent the request that replaces one without effect', () => {
    expect(verdict(rule, traffic(misspelled))).toContain('no other request had its effect');
    expect(verdict(rule, cutShort(misspelled))).toBe('open');
    expect(verdict(rule, cutShort(misspelled, ready))).toBe('holds');
  });

  it('is blocked with the reason, and neither passes nor fails', () => {
    const judging = () =>
      judgeTraffic(ruleOf(rule), cutShort({ ...ready, body: { contactId: 8, text: 'Open until 6.' } }, misspelled), {
        notExercised: (why) => {
          throw new NotExercised(why);
        },
      });
    expect(judging).toThrow(HarnessFault);
    expect(judging).toThrow(
      /^Expected a listed path and its method, received POST \/v1\/messages\/send .* What the client sent later is not known/,
    );
  });
});
