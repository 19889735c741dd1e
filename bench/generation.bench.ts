import fc from 'fast-check';
import { fromSchema } from '../generators/from-schema.ts';
import { schemas } from '../specs/schemas.ts';
import { compare } from './rounds.ts';

const events = 5_000;
const fromOurs = fromSchema(schemas.messageReceived);

/** The least that fast-check can do for a record of a few fields. */
const plain = fc.record({
  id: fc.string(),
  at: fc.integer(),
  text: fc.string(),
  turns: fc.array(fc.string(), { maxLength: 30 }),
});

function perEvent(arbitrary: fc.Arbitrary<unknown>): () => Promise<number> {
  let seed = 0;
  return async () => {
    const from = performance.now();
    if (fc.sample(arbitrary, { numRuns: events, seed: seed++ }).length !== events) throw new Error('too few events');
    return await Promise.resolve(((performance.now() - from) * 1000) / events);
  };
}

await compare(
  'One message.received from its schema, compared with a small fast-check record',
  'µs',
  perEvent(plain),
  perEvent(fromOurs),
);
