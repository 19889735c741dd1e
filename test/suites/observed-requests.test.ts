import { describe, expect, it } from 'vitest';
import { judgeObserved } from '../../suites/api-client/observed-rules.ts';
import { readTraffic } from '../../suites/api-client/traffic.ts';
import { ruleOf, traffic, type Sketch } from './api-exchanges.ts';

/** The result of a rule for requests that an endpoint sent during a run. */
function observed(requirement: string, ...sketches: Sketch[]): string {
  const sent = { ...traffic(...sketches), isObserved: true as const };
  const judged = judgeObserved(ruleOf(requirement), readTraffic(sent));
  const fault = judged.find(({ finding }) => finding)?.finding;
  if (fault) return `expected ${fault.expected}, received ${fault.received}`;
  return judged.length === 0 ? 'nothing' : 'holds';
}

const note = (body: object, rest: Partial<Sketch> = {}): Sketch => ({ path: '/v1/notes', status: 201, body, ...rest });
const phone = '+4930901820';
const other = '+4930901821';

describe('the requests of an endpoint during a run', () => {
  it('fail where they never meet a rule', () => {
    const [one, two] = [
      note({ phone, body: 'Hello.' }, { status: 400 }),
      note({ phone, body: 'Bye.' }, { status: 400 }),
    ];
    expect(observed('required-members-are-there', one, two)).toContain('text in the body');
    expect(observed('names-a-target', note({ text: 'Hello.' }, { status: 400 }))).toContain('projectId, contactId');
    expect(observed('ids-in-paths-are-integers', { method: 'GET', path: '/v1/projects/undefined/messages' })).toContain(
      'an integer id',
    );
  });

  it('pass where only an unusual event made a value missing', () => {
    const usual = note({ phone, text: 'Hello.' });
    expect(observed('names-a-target', usual, note({ text: 'Hello.' }, { status: 400 }))).toBe('holds');
    expect(observed('phone-is-international', usual, note({ phone: 'null', text: 'Hello.' }))).toBe('holds');
    const transcript = { method: 'GET', path: '/v1/projects/77/messages' };
    for (const path of ['/v1/projects//messages', '/v1/projects/undefined/messages', '/v1/projects/9.0e+15/messages']) {
      const lost = { ...transcript, path, status: 404 };
      for (const rule of ['ids-in-paths-are-integers', 'uses-listed-paths', 'requests-take-effect']) {
        expect(observed(rule, transcript, lost), `${rule} ${path}`).toBe('holds');
      }
    }
  });

  it('fail for one request without a key or with a secret, whatever the others are', () => {
    const usual = note({ phone, text: 'Hello.' });
    expect(
      observed('carries-an-api-key', usual, note({ phone, text: 'Bye.' }, { headers: { 'X-Api-Key': '' } })),
    ).toContain('received neither');
    expect(
      observed('no-secret-in-an-address', usual, { method: 'GET', path: '/v1/me?key=svc_sk_other_5Tg8Rb' }),
    ).toContain('API key of another inbox');
  });

  it('may have one key if they may have one cause', () => {
    const first = note({ phone, text: 'Called at 10:00:01.' }, { key: 'evt-1' });
    const again = note({ phone, text: 'Called at 10:00:02.' }, { key: 'evt-1', status: 422 });
    const stranger = note({ phone: other, text: 'Called at 10:00:02.' }, { key: 'evt-1', status: 422 });
    for (const rule of ['another-request-has-another-key', 'requests-take-effect']) {
      expect(observed(rule, first, again), rule).not.toContain('expected');
      expect(observed(rule, first, stranger), rule).toContain('Idempotency-Key');
    }
  });

  it('are not judged for effects with a key that the service does not know', () => {
    const sent = {
      ...traffic({ path: '/v1/note', status: 404, body: { phone, text: 'Hello.' } }),
      isObserved: true as const,
    };
    const judge = (apiKeys: readonly string[]) =>
      judgeObserved(ruleOf('requests-take-effect'), readTraffic({ ...sent, apiKeys })).length;
    expect(judge(sent.apiKeys)).toBe(1);
    expect(judge([])).toBe(0);
  });

  it('are not judged for pace and repetition, which our events cause', () => {
    const many = Array.from({ length: 200 }, (_, at) => note({ phone, text: 'Hello.' }, { at: at * 10 }));
    for (const rule of ['at-most-60-requests-a-minute', 'at-most-60-in-any-minute']) {
      expect(observed(rule, ...many)).toBe('nothing');
    }
    const failed = note({ phone, text: 'Hello.' }, { status: 500, key: 'evt-1' });
    const nextEvent = note({ phone, text: 'Hello.' }, { key: 'evt-2' });
    expect(observed('retry-keeps-its-key', failed, nextEvent)).toBe('nothing');
  });
});
