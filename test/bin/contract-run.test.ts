import { expect, it } from 'vitest';
import { verifyAgain } from '../../run/execute/contract-run.ts';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import type { RunOptions } from '../../run/run-input.ts';

function again(command: string[], requirement: string, source?: 'contract'): string | undefined {
  const check = { id: `${requirement}#contract-a`, requirement, source } as FinishedCheck;
  return verifyAgain(command, check, {} as RunOptions, 7);
}

it.each([
  [['--suites', 'a b.ts', '--config', 'c.json', '--suites', '--no-suites'], '--config c.json '],
  [['--config', 'c.json', '--no-suites'], '--config c.json '],
  [['--config', '--no-suites.json'], '--config --no-suites.json '],
])('a contract is verified again without the suites of %j, which pact verify does not take', (flags, left) => {
  const words = `npx svc-conform pact verify ${left}--only 'api-webhooks/answers-200#contract-a'`;
  expect(again(['check', ...flags], 'api-webhooks/answers-200', 'contract')).toBe(words);
});

it('a check of a suite of one’s own is not a contract, whatever its title', () => {
  expect(again(['check'], 'api-webhooks/acme-rule')).toBeUndefined();
});
