import { describe, expect, it } from 'vitest';
import { toRecords } from '../../harness/checks/evidence.ts';
import { redactor } from '../../service/redact.ts';
import { agentSecret, apiKey, traffic, type Sketch } from '../suites/api-exchanges.ts';

function recordOf(sketch: Sketch) {
  const redact = redactor([
    { name: 'API key', value: apiKey },
    { name: 'agent secret', value: agentSecret },
  ]);
  return toRecords(traffic(sketch).exchanges, redact)[0];
}

describe('the evidence of a client request', () => {
  it('holds no secret of an answer', () => {
    const record = recordOf({ path: '/v1/agents/3/secret', answer: { secret: agentSecret } });
    expect(record).toMatchObject({
      kind: 'api',
      outcome: 'answered',
      response: { status: 200, body: '{"secret":"[redacted: agent secret]"}' },
    });
    expect(JSON.stringify(record)).not.toContain(agentSecret);
    expect(JSON.stringify(record)).not.toContain(apiKey);
  });

  it('contains no key of the address', () => {
    const record = recordOf({ method: 'GET', path: `/v1/me?key=${apiKey}` });
    expect(record?.request.url).toBe('http://127.0.0.1:1/v1/me?key=[redacted: API key]');
  });

  it('distinguishes an answer that was never sent from one that was', () => {
    const record = recordOf({ path: '/v1/messages', body: {}, status: 0, answer: '', ended: 'cut', trouble: 'cut' });
    expect(record).toMatchObject({ outcome: 'closed', detail: 'the connection ended before the answer was sent' });
    expect(record).not.toHaveProperty('response');
  });
});
