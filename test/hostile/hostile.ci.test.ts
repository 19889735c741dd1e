import { describe } from 'vitest';
import { everyHostile } from './every-hostile.ts';
import { hostileSample } from './hostile-sample.ts';
import { testHostile } from './test-hostile.ts';

/** The same mechanisms on another surface or at another size: `node test/hostile/run-hostile.ts` runs these too. */
const siblings: ReadonlySet<string> = new Set([
  'crm-endless',
  'chat-trickling',
  'crm-endless-headers',
  'chat-endless-chunk',
  'chat-array-300-kb',
  'chat-string',
  'crm-number',
  'chat-number',
  'crm-null',
  'chat-empty-objects',
  'crm-array-30000-levels',
  'chat-array-30000-levels',
  'crm-array-100000-levels',
  'chat-object-30000-levels',
  'crm-wide-64-mb',
  'chat-wide-64-mb',
  'chat-wide-8-mb',
  'crm-gzip-bomb',
  'chat-nested-bomb',
  'crm-deflate-bomb',
  'chat-deflate-bomb',
  'chat-brotli-bomb',
]);

const isLeft = ({ name }: { name: string }) => !siblings.has(name) && !hostileSample.includes(name);

describe('an endpoint that exhausts its reader', () => {
  testHostile(everyHostile.filter(isLeft));
});
