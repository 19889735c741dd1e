import { expect, it } from 'vitest';
import { RecordedExchanges } from '../../harness/client/recorded-exchanges.ts';
import type { ApiExchangeRecord } from '../../service/api/install-recording.ts';

const mebibyte = 1_048_576;
const exchange = (status: number, bytes: number): ApiExchangeRecord => ({
  startedAt: new Date(0),
  at: 1,
  serviceTimeMs: 0,
  method: 'POST',
  url: '/v1/notes',
  headers: [],
  body: new Uint8Array(bytes),
  truncated: false,
  operation: 'addNote',
  response: { status, headers: [], body: '' },
  endedAt: 2,
});

it('keeps exchanges that fit, and reports the omitted ones', () => {
  const recorded = new RecordedExchanges();
  for (let at = 0; at < 31; at++) recorded.add(exchange(201, mebibyte));
  expect([recorded.kept.length, recorded.notes]).toEqual([31, []]);
  recorded.add(exchange(201, 2 * mebibyte));
  // Exchanges after a gap would be judged without the missing ones before them.
  for (let at = 0; at < 8; at++) recorded.add(exchange(201, 1));
  expect(recorded.notes).toEqual([
    'Requests that were not recorded: 9. The maximum is 20000 requests and 32 MiB of bodies; ' +
      'the report covers the first 31.',
  ]);
});

it.each([401, 413, 429])('does not keep the large bodies of requests that were refused with %d', (status) => {
  const recorded = new RecordedExchanges();
  for (let at = 0; at < 100; at++) recorded.add(exchange(status, mebibyte));
  recorded.add(exchange(status, 100));
  recorded.add(exchange(400, 5_000));
  expect(recorded.kept).toHaveLength(102);
  expect(recorded.kept[0]).toMatchObject({ truncated: true, body: new Uint8Array() });
  expect(recorded.kept.slice(-2).map(({ truncated, body }) => [truncated, body.length])).toEqual([
    [false, 100],
    [false, 5_000],
  ]);
  expect(recorded.notes).toEqual(['Bodies of rejected requests that were not kept: 100, each above 4096 bytes.']);
});

it('has nothing to report if everything was kept', () => {
  const recorded = new RecordedExchanges();
  recorded.add({ ...exchange(201, 5), response: 'cut' });
  expect([recorded.kept.length, recorded.notes]).toEqual([1, []]);
});

it('keeps refused bodies on request, within the same bound', () => {
  const recorded = new RecordedExchanges({ mostExchanges: 40, withRefusedBodies: true });
  for (let at = 0; at < 41; at++) recorded.add(exchange(429, mebibyte));
  expect([recorded.kept.length, recorded.omitted]).toEqual([32, 9]);
  expect(recorded.kept.every(({ body }) => body.length === mebibyte)).toBe(true);
  const few = new RecordedExchanges({ mostExchanges: 2 });
  for (let at = 0; at < 3; at++) few.add(exchange(201, 1));
  expect([few.kept.length, few.omitted, few.room]).toEqual([2, 1, '2 requests and 32 MiB of bodies']);
});
