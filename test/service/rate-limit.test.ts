import { expect, it } from 'vitest';
import { RateLimit } from '../../service/api/rate-limit.ts';

it('starts again when the clock is set back, instead of refusing until the time is reached again', () => {
  let now = 3_600_000;
  const limit = new RateLimit(2, () => now);
  limit.take('a key');
  limit.take('a key');
  expect(() => limit.take('a key')).toThrow('next in 60 s');
  now -= 30_000;
  expect(() => limit.take('a key')).toThrow('next in 90 s');
  now -= 600_000;
  limit.take('a key');
  limit.take('a key');
  expect(() => limit.take('a key')).toThrow('next in 60 s');
});
