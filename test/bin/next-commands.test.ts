import { expect, test } from 'vitest';
import { buildReport } from '../../reports/model/build-report.ts';
import { nextCommands } from '../../run/publish/next-commands.ts';
import type { CheckResult, Exchange, Report, Selection } from '../../specs/generated/types.ts';
import { runOrigin } from '../../run/collect/run-origin.ts';
import { codeSamples } from '../../run/publish/code-samples.ts';
import { renderHtml } from '../../reports/write/html/render-html.ts';
import { gatedReport } from '../reports/sample-formats.ts';
import { cascadeRun, check, cleanReport, cleanRun, sampleCatalogue } from '../reports/sample-report.ts';

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

test('a longer diagnosis has the brand of the run, and for a CRM webhook its known caller', () => {
  const run = 'check --config a.json --brand Acme --known-caller +4930901820';
  const diagnosesOf = (report: Report) => commandsOf(report).filter((command) => command?.includes(' diagnose '));
  expect(diagnosesOf(reportOf(run))).toEqual([
    "npx svc-conform diagnose own-ai-chat --config a.json --brand Acme --report 'my report'",
  ]);
  const crm = check('crm-webhook/answers-every-event', 'fail', {
    reproduce: `npx svc-conform ${run} --only 'crm-webhook/answers-every-event#a' --seed 5`,
  });
  expect(diagnosesOf(buildReport({ ...cleanRun, checks: [crm] }))).toEqual([
    "npx svc-conform diagnose crm-webhook --config a.json --brand Acme --known-caller +4930901820 --report 'my report'",
  ]);
});

test('after a failure with a certain cause: no diagnosis, and the cause is explained', () => {
  const report = reportOf('check --config a.json', { causes: [certain('signature/body-compact')] });
  expect(commandsOf(report)).toEqual([
    "npx svc-conform replay 'my report' --config a.json",
    'npx svc-conform explain signature/body-compact',
  ]);
});

test('no command that would fail: after the demo, a partial run, or a report that was not written', () => {
  const explain = ['npx svc-conform explain own-ai-chat/answers-ping'];
  expect(commandsOf(reportOf('demo'))).toEqual(explain);
  expect(commandsOf({ ...reportOf('check'), partial: { checked: 1, of: 354 } })).toEqual(explain);
  expect(nextCommands(reportOf('check'), undefined).map(({ command }) => command)).toEqual(explain);
  expect(commandsOf(reportOf('check --start node'))).not.toContainEqual(expect.stringContaining('diagnose'));
});

test('after a warning or a known failure that was judged in part: the same as after a failure', () => {
  const warned = buildReport(
    { ...cleanRun, checks: [check('own-ai-chat/names-offered-skills', 'fail')] },
    sampleCatalogue,
  );
  expect(warned.summary).toMatchObject({ fail: 0, warn: 1 });
  expect(commandsOf(warned)).toEqual(['npx svc-conform explain own-ai-chat/names-offered-skills']);
  expect(
    commandsOf({ ...gatedReport, requirements: gatedReport.requirements.filter(({ id }) => id.endsWith('/partly')) }),
  ).toEqual(['npx svc-conform explain own-ai-chat/partly']);
});

const purposesOf = (report: Report) =>
  nextCommands(report, place).flatMap(({ purpose, command }) => (command === undefined ? [purpose] : []));

test('after the end of the budget: a higher one, and no longer diagnosis', () => {
  const blocked = reportOf('check --config a.json', { verdict: 'blocked', code: 'budget-used' });
  expect(purposesOf(blocked)).toEqual(['To judge the rest, give the run more time with --budget.']);
  expect(commandsOf(blocked)).not.toContainEqual(expect.stringContaining('diagnose'));
});

test('no command with a redacted value', () => {
  const report = reportOf("check --chat-url 'http://a.example/[redacted: API key]' --chat-secret env:AGENT_SECRET");
  expect(commandsOf(report)).toEqual(['npx svc-conform explain own-ai-chat/answers-ping']);
});

test('after a pass: how to judge more', () => {
  const coverage = { judged: 1, of: 2, configure: ['stimuli.chat.async', 'observe'] };
  expect(purposesOf({ ...cleanReport, coverage })).toEqual(['To judge more, configure stimuli.chat.async, observe.']);
  const whole = { ...coverage, configure: [] };
  expect(purposesOf({ ...cleanReport, coverage: whole })).toEqual([expect.stringContaining('--thorough')]);
});

test.each([
  [{ surfaces: ['own-ai-chat'], only: ['a'] }, 'To check everything, omit --only and --surface.'],
  [{ shard: { index: 1, of: 2 } }, 'To judge the endpoint, combine all shards with svc-conform report merge.'],
  [{ contracts: true }, 'To check more than contracts, run svc-conform check.'],
  [{ capture: true }, 'To check what recorded traffic does not show, run svc-conform check without --capture.'],
  [{ stopped: 'bail' }, 'To check everything, omit --bail.'],
  [{ stopped: 'interrupted' }, 'To check everything, run again without an interruption.'],
] as const)('after a partial pass of %o: how to check everything', (selection, purpose) => {
  expect(purposesOf({ ...cleanReport, selection: selection as unknown as Selection })).toEqual([purpose]);
});

test('after a run that --bail stopped: how to check everything, in addition', () => {
  const stopped: Report = { ...reportOf('check'), selection: { stopped: 'bail' } };
  expect(purposesOf(stopped)).toEqual(['To check everything, omit --bail.']);
  expect(commandsOf(stopped)).toContain('npx svc-conform explain own-ai-chat/answers-ping');
});

test('a failure without a known cause has the code that meets its requirement, with the names of the brand', async () => {
  const id = 'own-ai-chat/accepts-valid-signature';
  const report = buildReport({ ...cleanRun, checks: [check(id, 'fail')] });
  const codeOf = async (one: Report) => JSON.stringify((await codeSamples(one)).get(id));
  expect(await codeOf(report)).toContain('X-Svc-Signature');
  const branded = await codeOf({ ...report, brand: 'Acme' });
  expect(branded).toContain('X-Acme-Signature');
  expect(branded).not.toMatch(/x-svc-/i);
  const blocked = buildReport({ ...cleanRun, checks: [check(id, 'blocked')] });
  expect(await codeSamples(blocked)).toEqual(new Map());
});

test('the page begins with the framework that the answers reveal', async () => {
  const answer = { status: 401, headers: [['Server', 'Werkzeug/3.1.3 Python/3.12.3']], body: '', bodyBytes: 0 };
  const failed = reportOf('check', { causes: [certain('signature/body-compact')], evidence: ['ex-1'] });
  const [exchange] = cascadeRun.exchanges;
  const report = { ...failed, exchanges: [{ ...exchange, id: 'ex-1', kind: 'http', response: answer } as Exchange] };
  const first = async (one: Report) => [...(await codeSamples(one)).values()].map(([sample]) => sample?.framework);
  expect(await first(report)).toEqual(['Flask']);
  expect(await first({ ...report, exchanges: [] })).toEqual(['Express']);
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
