import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { encodingRules } from '../../specs/deep-link-encoding-rules.ts';
import { judgeLinks } from './judge-links.ts';

describe.concurrent('deep-links encoding', () => {
  for (const rule of encodingRules) {
    check(rule.requirement, rule.title, async (kit) => judgeLinks(kit, rule));
  }
});
