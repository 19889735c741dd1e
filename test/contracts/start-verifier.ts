import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { VerificationRequest } from '../../contracts/run-verification.ts';
import { verifierEnvironment } from '../../contracts/verifier-environment.ts';
import type { FinishedCheck } from '../../harness/checks/engine.ts';

export interface Verifier extends Disposable {
  verify: (request: Pick<VerificationRequest, 'settings' | 'surfaces'>) => Promise<readonly FinishedCheck[]>;
}

/**
 * Starts a process that runs one verification after another, which saves starting one for each: for tests of verdicts.
 * `verification-process.test.ts` tests the process of a verification.
 */
export function startVerifier(): Verifier {
  const child = fork(fileURLToPath(new URL('verification-host.ts', import.meta.url)), {
    execArgv: [],
    env: verifierEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The process of the verifier ended.')));
  // Every verification awaits it, and without one the end is expected.
  ended.catch(() => undefined);
  return {
    verify: async (request) => {
      const answered = once(child, 'message') as Promise<[{ checks: FinishedCheck[] } | { error: string }]>;
      child.send(request);
      const [answer] = await Promise.race([answered, ended]);
      if ('error' in answer) throw new Error(answer.error);
      return answer.checks;
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}
