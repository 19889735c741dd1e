import { test } from 'vitest';

test('nothing', () => undefined);
