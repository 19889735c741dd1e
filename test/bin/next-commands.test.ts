import { expect, test } from 'vitest';
import { buildReport } from '../../reports/model/build-report.ts';
import { nextCommands } from '../../run/publish/next-commands.ts';
import type { CheckResult, Report } from '../../specs/generated/types.ts';
import { runOrigin } from '../../run/collect/run-origin.ts';
import { codeSamples } from '../../run/publish/code-samples.ts';
import { renderHtml } from '../../reports/write/html/render-html.ts';
import { check, cleanReport, cleanRun } from '../reports/sample-report.ts';

const place = 'my report/report.html';
const certain = (id: string) => ({ id, summary: 'It does.', remediation: 'Do not.', certain: true });

function reportOf(command: string, rest: Partial<CheckResult> = {}): Report {
  const reproduce = `npx svc-conform ${command} --only 'own-ai-chat/answers-ping#a' --seed 5`;
  return buildReport({ ...cleanRun, checks: [check('own-ai-chat/answers-ping', 'fail', { reproduce, ...rest })] });
}

const commandsOf = (report: Report, at: string | undefined = place) =>
  nextCommands(report, at).map(({ command }) => command);

test('after a failure without a known cause: replay, explain and a longer diagnosis, with the flags of the target', () => {
  const flags = '--chat-url http://127.0.0.1:8080/chat --chat-secret env:AGENT_SECRET --allow-http app';
  expect(commandsOf(reportOf(`check ${flags}`))).toEqual([
    "npx svc-conform replay 'my report' --chat-url http://127.0.0.1:8080/chat --chat-secret env:AGENT_SECRET --allow-http app",
    'npx svc-conform explain own-ai-chat/answers-ping',
    "npx svc-conform diagnose own-ai-chat --url http://127.0.0.1:8080/chat --secret env:AGENT_SECRET --allow-http app --report 'my report'",
  ]);
});

test('after a failure with a certain cause: no diagnosis, and the cause is explained', () => {
  const report = reportOf('check --config a.json', { causes: [certain('signature/body-compact')] });
  expect(commandsOf(report)).toEqual([
    "npx svc-conform replay 'my report' --config a.json",
    'npx svc-conform explain signature/body-compact',
  ]);
});

test('nothing that would not work: after the demo, a partial run, or a report that was not written', () => {
  const explain = ['npx svc-conform explain own-ai-chat/answers-ping'];
  expect(commandsOf(reportOf('demo'))).toEqual(explain);
  expect(commandsOf({ ...reportOf('check'), partial: { checked: 1, of: 354 } })).toEqual(explain);
  expect(nextCommands(reportOf('check'), undefined).map(({ command }) => command)).toEqual(explain);
  expect(commandsOf(reportOf('check --start node'))).not.toContainEqual(expect.stringContaining('diagnose'));
});

test('after a pass: nothing, or how to check everything', () => {
  expect(nextCommands(cleanReport, place)).toEqual([]);
  const partial: Report = { ...cleanReport, selection: { surfaces: ['own-ai-chat'] } };
  expect(nextCommands(partial, place)).toEqual([
    { purpose: 'To check everything, omit --only, --surface and --shard.' },
  ]);
});

test('the page shows code in each framework, and a signature that another implementation can check', async () => {
  const report = reportOf('check', { causes: [certain('signature/body-compact')] });
  const text = renderHtml(report, { samples: await codeSamples(report) });
  for (const framework of ['Express', 'FastAPI', 'Spring', 'ASP.NET', 'Go'])
    expect(text).toContain(`>${framework}</label>`);
  expect(text).toContain('timingSafeEqual');
  // printf '1791712800.{ "id": "evt_1", "text": "Grüße" }' | openssl dgst -sha256 -hmac whsec_throw_away_secret_for_this_example
  expect(text).toContain('v1=7b8e7a6a6bc475b059d695811b657c500389a44cd483ba86373e8e3639ea1182');
  expect(await codeSamples(cleanReport)).toEqual(new Map());
});

test('only a hash is read as the commit of a CI job', () => {
  const of = (sha: string) => runOrigin({ GITHUB_ACTIONS: 'true', GITHUB_SHA: sha }).commit;
  expect(of('A'.repeat(40))).toBe('a'.repeat(40));
  expect(of('my-secret-value')).toBeUndefined();
  expect(runOrigin({ GITHUB_SHA: 'a'.repeat(40) })).not.toHaveProperty('commit');
});
