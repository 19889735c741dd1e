import { describe } from 'vitest';
import { surfaces } from '../../specs/surfaces.ts';
import { testShards } from './test-shards.ts';

describe('four shards against a correct endpoint of every surface', () => {
  testShards(surfaces);
});
