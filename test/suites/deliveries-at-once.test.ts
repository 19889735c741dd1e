import { describe, it } from 'vitest';
import type { Report } from '../../specs/generated/types.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { pause, startReceiver, type Reply } from '../diagnosis/receiver.ts';

const [accepts, needsNoPause] = ['accepts-deliveries-at-once', 'needs-no-pause-at-once'] as const;

const accepted: Reply = { status: 200 };
/** Milliseconds of one delivery, so that several at the same moment overlap. */
const workMs = 100;

/** Handles two deliveries at a time, and gives the others the reply of `busy`, with the number of those before. */
function twoAtATime(busy: (earlier: number) => Reply): () => Promise<Reply> {
  let [running, refused] = [0, 0];
  return async () => {
    if (running >= 2) return busy(refused++);
    running++;
    await pause(workMs);
    running--;
    return accepted;
  };
}

const limited = (seconds: number): Reply => ({ status: 429, headers: { 'Retry-After': String(seconds) } });

describe.concurrent('deliveries at the same moment', () => {
  it.for<[what: string, receive: () => Promise<Reply>, verdicts: Record<string, string>]>([
    ['all are accepted', () => pause(workMs).then(() => accepted), { [accepts]: 'pass', [needsNoPause]: 'pass' }],
    ['some fail', twoAtATime(() => ({ status: 500 })), { [accepts]: 'fail', [needsNoPause]: 'pass' }],
    ['some are to come again', twoAtATime(() => limited(1)), { [accepts]: 'not-exercised', [needsNoPause]: 'fail' }],
    [
      'some are to come again much later',
      twoAtATime(() => limited(120)),
      { [accepts]: 'not-exercised', [needsNoPause]: 'not-exercised' },
    ],
    [
      'a limit was used up, and is free again after a rest',
      twoAtATime((earlier) => (earlier < 3 ? { status: 503 } : accepted)),
      { [accepts]: 'pass', [needsNoPause]: 'pass' },
    ],
    [
      'some are never answered',
      twoAtATime(() => 'silence'),
      { [accepts]: 'not-exercised', [needsNoPause]: 'not-exercised' },
    ],
    [
      'one alone takes long',
      () => pause(2_300).then(() => accepted),
      { [accepts]: 'not-exercised', [needsNoPause]: 'not-exercised' },
    ],
  ])('%s', async ([, receive, verdicts], { expect }) => {
    await using receiver = await startReceiver(receive);
    await using directory = await temporaryDirectory();
    const endpoint = ['--hooks-url', `${receiver.origin}/hooks`, '--hooks-secret', 'env:HOOK_SECRET'];
    const only = Object.keys(verdicts).map((slug) => `api-webhooks/${slug}`);
    const args = ['check', ...endpoint, '--only', only.join(','), '--answer-timeout', '4', '--no-diagnose', '--json'];
    const { stdout, stderr } = await runCommand(args, {
      cwd: directory.path,
      env: { HOOK_SECRET: 'hook_Ub7Rm4Xe1Qs8Wn5Kd2Vf9Lh6Cz3Tg0P' },
    });
    expect(stdout, stderr).toMatch(/^\{/);
    const { checks } = JSON.parse(stdout) as Report;
    const given = checks.map(({ requirement, verdict }) => [requirement.replace('api-webhooks/', ''), verdict]);
    expect(Object.fromEntries(given), JSON.stringify(checks)).toEqual(verdicts);
  });
});
