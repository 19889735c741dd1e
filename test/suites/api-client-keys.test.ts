import { describe, expect, it } from 'vitest';
import type { Finding } from '../../harness/checks/finding.ts';
import { readTraffic } from '../../suites/api-client/traffic.ts';
import { agentSecret, apiKey, ruleOf, traffic, type Sketch } from './api-exchanges.ts';

function findingOf(requirement: string, sketch: Sketch): Finding | undefined {
  const outcomes = ruleOf(requirement).judge(readTraffic(traffic(sketch)));
  return outcomes.find(({ finding }) => finding)?.finding;
}

describe('the finding about a secret in a body', () => {
  it('points to the field that contains it', () => {
    const body = { contactId: 1, text: `The secret is ${agentSecret}.` };
    expect(findingOf('no-secret-in-a-body', { path: '/v1/notes', body })?.part).toEqual({ body: ['text'] });
  });

  it('points to the whole body where no field contains it', () => {
    const body = `secret=${agentSecret}`;
    expect(findingOf('no-secret-in-a-body', { path: '/v1/notes', body })?.part).toEqual({ body: [] });
  });
});

describe('the finding about another key', () => {
  const received = (sent: string) =>
    findingOf('carries-the-key-as-issued', { path: '/v1/me', method: 'GET', headers: { 'X-Api-Key': sent } })?.received;

  it('calls a part of the key one only where it is too long to be a coincidence', () => {
    expect(received(apiKey.slice(-8))).toBe('a part of the key');
    expect(received(apiKey.slice(-7))).toBe('another key');
  });
});
