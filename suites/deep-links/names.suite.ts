import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { namingRules } from '../../specs/deep-link-rules.ts';
import { judgeLinks } from './judge-links.ts';

describe.concurrent('deep-links names', () => {
  for (const rule of namingRules) {
    check(rule.requirement, rule.title, async (kit) => judgeLinks(kit, rule));
  }
});
