import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { addressRules } from '../../specs/deep-link-rules.ts';
import { judgeLinks } from './judge-links.ts';

describe.concurrent('deep-links addresses', () => {
  for (const rule of addressRules) {
    check(rule.requirement, rule.title, async (kit) => judgeLinks(kit, rule));
  }
});
