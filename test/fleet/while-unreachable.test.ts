import { expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { whileUnreachable } from '../../fleet/queue/while-unreachable.ts';

const waiting = { address: 'redis://queue.example', forMs: 20_000 };
const failing = (error: object) => Object.assign(new Error('no route'), error);

it.each([
  { code: 'ECONNREFUSED' },
  { code: 'EPIPE' },
  {},
  { severity: 'FATAL', code: '57P03' },
  { severity: 'FATAL', code: '08006' },
])('repeats a step after %j', async (error) => {
  let steps = 0;
  const step = async () => (++steps === 1 ? Promise.reject(failing(error)) : steps);
  expect(await whileUnreachable(step, waiting)).toBe(2);
});

it.each([{ severity: 'ERROR', code: '23503' }, { name: 'ReplyError' }, new HarnessFault('queue-address:password')])(
  'throws what is an answer: %j',
  async (error) => {
    const thrown = error instanceof Error ? error : failing(error);
    await expect(whileUnreachable(() => Promise.reject(thrown), waiting)).rejects.toBe(thrown);
  },
);

it('reports a database that does not answer, or refuses connections, with its address', async () => {
  const code = 'queue-unreachable';
  const soon = { ...waiting, forMs: 20 };
  const never = whileUnreachable(() => new Promise(() => undefined), soon);
  await expect(never).rejects.toMatchObject({ code, message: expect.stringContaining('for 0.02 s') as string });
  const refused = whileUnreachable(() => Promise.reject(failing({ code: 'ECONNREFUSED' })), soon);
  await expect(refused).rejects.toMatchObject({
    code,
    message: 'The queue at redis://queue.example cannot be used: no route.',
  });
});
