import { describe, expect, it } from 'vitest';
import { Acceptance } from '../../harness/checks/acceptance.ts';
import { CheckRecord } from '../../harness/checks/check-record.ts';
import type { Observation } from '../../harness/wire/observation.ts';

const url = 'http://127.0.0.1/hooks';

function delivery(status: number, { authentic = true, to = url } = {}): Observation {
  return {
    kind: 'http',
    label: `answered ${status}`,
    startedAt: new Date(0),
    at: 0,
    request: { method: 'POST', url: to, headers: [], body: Buffer.from('{}'), ...(authentic && { authentic }) },
    answer: { outcome: 'answered', status, headers: [], body: Buffer.of(), bodyBytes: 0, truncated: false },
    times: { connectMs: null, firstByteMs: 1, totalMs: 1, lagMs: 0 },
  };
}

function booked(...deliveries: Observation[]): { acceptance: Acceptance; record: CheckRecord } {
  const acceptance = new Acceptance();
  const record = new CheckRecord();
  for (const one of deliveries) {
    record.keep(one);
    acceptance.book(one, record);
  }
  return { acceptance, record };
}

describe('the acceptance of valid deliveries', () => {
  it('keeps what was refused, and the latest that was accepted', () => {
    const [refused, first, latest] = [delivery(500), delivery(200), delivery(204)];
    const { acceptance } = booked(refused, first, latest);
    expect(acceptance.at(url)).toEqual({ accepted: 2, latest, refused: [refused] });
    expect(acceptance.at('http://127.0.0.1/other')).toEqual({ accepted: 0, latest: undefined, refused: [] });
  });

  it.each([409, 425, 429, 503])('leaves out an answer that asks for the delivery later: %i', (status) => {
    expect(booked(delivery(status)).acceptance.at(url).refused).toEqual([]);
  });

  it('leaves out what is invalid, and what a check of the integrator sends', () => {
    const acceptance = new Acceptance();
    acceptance.book(delivery(401, { authentic: false }), new CheckRecord());
    acceptance.book(delivery(500), new CheckRecord({ isOwn: true }));
    expect(acceptance.at(url).refused).toEqual([]);
  });

  it('leaves out what a check has reported that sent it, or that saw it', () => {
    const [sent, seen] = [delivery(500), delivery(401)];
    const { acceptance, record } = booked(sent);
    acceptance.book(seen, new CheckRecord());
    const judging = new CheckRecord();
    judging.keep(seen);
    acceptance.report(judging);
    expect(acceptance.at(url).refused).toEqual([sent]);
    acceptance.report(record);
    expect(acceptance.at(url).refused).toEqual([]);
  });
});
