import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { diagnoseOne } from '../../bin/diagnose-one.ts';
import { judgedLinks } from '../../bin/link-verdicts.ts';
import { assertConnectable, readScript } from '../../simulate/serve/play-script.ts';
import { readDocuments } from '../../bin/read-documents.ts';
import { readReport } from '../../run/input/read-report.ts';
import { replayReport } from '../../run/replay/replay-report.ts';
import { connectableAddresses, trustedTarget } from '../../run/config/trusted-target.ts';
import { judgeContract } from '../../contracts/judge-contract.ts';
import { readStateTranslations } from '../../contracts/state-translations.ts';
import { compareDocuments } from '../../generators/schema-diff/compare-documents.ts';
import { invalidSchema } from '../../generators/schema-diff/invalid-schema.ts';
import { readableExample } from '../../generators/readable-example.ts';
import { readRecording } from '../../harness/capture/read-recording.ts';
import { sortRecording } from '../../harness/capture/sort-recording.ts';
import { parseLinkList } from '../../harness/client/deep-links.ts';
import { HarnessOutbound, StandaloneTransport } from '../../harness/wire/harness-outbound.ts';
import { anonymize } from '../../reports/model/anonymize.ts';
import { applyGate } from '../../reports/model/apply-gate.ts';
import { certifyReport } from '../../reports/certificate/certify-report.ts';
import { sealEnvelope } from '../../reports/certificate/envelope.ts';
import { newKeyPair, privateKeyOf, publicKeyOf } from '../../reports/certificate/keys.ts';
import { verifyCertificate } from '../../reports/certificate/verify-certificate.ts';
import { diffReports } from '../../reports/model/diff-reports.ts';
import { formatNames } from '../../reports/text/format-names.ts';
import { renderFormats } from '../../reports/write/formats.ts';
import { mergeReports } from '../../reports/model/merge-reports.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import { runVerdict, summarise } from '../../reports/model/verdict.ts';
import { ControlledService } from '../../service/controlled-service.ts';
import { stepDescription, stepNames } from '../../service/step.ts';
import { openApiDocument } from '../../specs/open-api-document.ts';
import { schemas } from '../../specs/schemas.ts';
import { validate } from '../../specs/validators.ts';
import type { CheckResult, Report } from '../../specs/generated/types.ts';
import { temporaryDirectory } from '../bin/run-command.ts';
import { smallEndpoint } from '../bin/small-endpoint.ts';
import { message } from '../capture/chat-cases.ts';
import { config as capturedConfig, harOf, sample } from '../capture/recorded.ts';
import { call, hook } from '../capture/signed-cases.ts';
import { cleanReport, sampleCatalogue } from '../reports/sample-report.ts';
import {
  canaryAt,
  canaryKinds,
  eachPlanted,
  leavesOf,
  placeName,
  plantedAt,
  valueAt,
  withShortLists,
  withValue,
  type World,
} from './plant.ts';
import { EffectWatch, marker } from './watch-effects.ts';
import { watchedCommand } from './watched-command.ts';

/** Working directories with a config and without one. The files to read are elsewhere. */
let own: Awaited<ReturnType<typeof temporaryDirectory>>;
let empty: Awaited<ReturnType<typeof temporaryDirectory>>;
let got: Awaited<ReturnType<typeof temporaryDirectory>>;
let endpoint: Awaited<ReturnType<typeof smallEndpoint>>;
let watch: EffectWatch;
let world: World;

beforeAll(async () => {
  [own, empty, got] = [await temporaryDirectory(), await temporaryDirectory(), await temporaryDirectory()];
  endpoint = await smallEndpoint(() => ({ status: 204 }));
  vi.stubEnv('CRM_TOKEN', 'Kx7mQp2Vw9Zt4Bn8Rc');
  const crmWebhook = { url: endpoint.url, token: 'env:CRM_TOKEN' };
  await writeFile(own.at('svc-conform.config.json'), JSON.stringify({ crmWebhook }));
  watch = await EffectWatch.open();
  world = { path: got.path, host: watch.host };
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await watch[Symbol.asyncDispose]();
  await endpoint[Symbol.asyncDispose]();
  for (const directory of [own, empty, got]) await directory[Symbol.asyncDispose]();
});

beforeEach(() => {
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((_text: unknown, done: unknown) => {
      if (typeof done === 'function') (done as () => void)();
      return true;
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

/** Each test goes through hundreds of files, or runs the command line for each kind of canary, on a machine that may be busy. */
vi.setConfig({ testTimeout: 300_000 });

/** Runs code that reads a planted value, whether it accepts or refuses it, and expects no other effect. */
async function expectNothing(name: string, read: () => unknown): Promise<void> {
  try {
    await read();
  } catch {
    // Refused.
  }
  expect(watch.take(), name).toEqual([]);
  expect(({} as Record<string, unknown>)['canary'], `${name}: Object.prototype`).toBeUndefined();
}

const file = (name = 'file.json') => got.at(name);

async function write(value: unknown, name?: string): Promise<string> {
  await writeFile(file(name), typeof value === 'string' ? value : JSON.stringify(value));
  return file(name);
}

function workingIn(directory: { path: string }): void {
  vi.spyOn(process, 'cwd').mockReturnValue(directory.path);
}

const requirement = 'crm-webhook/refuses-wrong-token';

/** A report with every field of the schema, about the endpoint of the config, with one check that can be replayed. */
function fullReport(): Report {
  const { anonymized: _, ...full } = withShortLists(readableExample('report', 'fullest')) as Report;
  const [check] = full.checks as [CheckResult];
  const { counterexample: __, ...plain } = check;
  const ids = { id: `${requirement}#a wrong token is refused`, requirement, surface: 'crm-webhook' };
  const failed: CheckResult = {
    ...plain,
    ...ids,
    verdict: 'fail',
    evidence: ['ex-1'],
    reproduce: 'npx svc-conform check',
  };
  const requirements = full.requirements.map(({ own: ___, ...one }, at) =>
    at === 0 ? { ...one, id: requirement, surface: 'crm-webhook', verdict: 'fail' as const, checks: [failed.id] } : one,
  );
  const summary = summarise(requirements);
  return {
    ...full,
    verdict: runVerdict(summary),
    summary,
    target: { 'crm-webhook': { url: endpoint.url, command: 'true', file: 'links.txt' } },
    selection: { surfaces: ['crm-webhook'], only: ['x'], runs: 1, callbackWaitMs: 1000 },
    requirements,
    checks: [failed, { ...check, verdict: 'pass', counterexample: check.counterexample as never }],
    exchanges: full.exchanges.map((exchange, at) => ({ ...exchange, id: `ex-${at + 1}`, kind: 'http' as const })),
  };
}

/** The selection of a complete run; a report of a partial run is not replayed. */
const reduced = { runs: 1, callbackWaitMs: 1000 };

/** The same without the image, which would have to match the config. */
function repeatableReport(): Report {
  const { container: _, ...report } = fullReport();
  return { ...report, selection: reduced };
}

describe('every field of a report', () => {
  it('is read as data by replay and diagnose without a config', async () => {
    workingIn(empty);
    // The unchanged report is accepted, so a refusal can only be caused by a planted value.
    expect((await readReport(await write(fullReport()))).checks).toHaveLength(2);
    for (const { name, value } of eachPlanted(fullReport(), world)) {
      // Only a report of a complete run is replayed.
      const place = await write(name.startsWith('selection') ? value : { ...value, selection: reduced });
      await expectNothing(`replay, ${name}`, () => replayReport(place, undefined, {}, () => undefined));
      await expectNothing(`diagnose, ${name}`, () => diagnoseOne('crm-webhook', { report: place, within: 1 }));
    }
  });

  it('leads to no other target than the nearest config', async () => {
    workingIn(own);
    const surfaces = ['crm-webhook', 'api-client', 'deep-links', 'own-ai-chat'];
    let reached = 0;
    for (const [at, { name, value }] of [...eachPlanted(repeatableReport(), world)].entries()) {
      const place = await write(value);
      let report: Report | undefined;
      await expectNothing(`read, ${name}`, async () => (report = await readReport(place)));
      const surface = surfaces[at % surfaces.length] ?? '';
      for (const one of report ? new Set(['crm-webhook', surface]) : []) {
        await expectNothing(`${one}, ${name}`, async () => {
          const { config } = await trustedTarget([one], {}, process.env, report);
          expect(config.crmWebhook?.url).toBe(endpoint.url);
          reached++;
        });
      }
    }
    expect(reached).toBeGreaterThan(100);
  });

  it('is read as data by the replay of exchanges', async () => {
    workingIn(own);
    const { exchanges, ...report } = repeatableReport();
    const body = JSON.stringify({ eventType: 'Manual', callbackUrl: 'http://127.0.0.1:1/back' });
    const headers = [['Authorization', 'Bearer [redacted: CRM token]']];
    const [first] = exchanges;
    const { call: _, ...plain } = { ...first, request: { ...first?.request, headers, body, bodyBytes: body.length } };
    const checks = report.checks.map((check) => ({ ...check, verdict: 'pass', evidence: ['ex-1'] }));
    const requirements = report.requirements.map((one) => ({ ...one, verdict: 'pass' as const }));
    const summary = summarise(requirements);
    const whole = { ...report, requirements, summary, verdict: runVerdict(summary), checks, exchanges: [plain] };
    const places = leavesOf(whole).filter(([list]) => list === 'exchanges' || list === 'checks');
    for (const [at, path] of places.entries()) {
      const place = await write(withValue(whole, path, canaryAt(path, at, world)));
      await expectNothing(path.join('/'), () => replayReport(place, 'ex-1', {}, () => undefined));
    }
    const events = [
      '{"callbackUrl":"CANARY","callbackUrl":"http://127.0.0.1:1/back"}',
      '{"data":{"replyUrl":"CANARY"}}',
    ];
    for (const event of events) {
      const text = event.replace('CANARY', canaryAt(['event'], canaryKinds.indexOf('url'), world));
      const request = { ...first?.request, headers, body: text, bodyBytes: text.length };
      const place = await write({ ...whole, exchanges: [{ ...plain, request }] });
      await expectNothing(event, () => replayReport(place, 'ex-1', {}, () => undefined));
    }
    expect(endpoint.requests.length).toBeGreaterThan(0);
    // Planted values have no effect on the endpoint either.
    for (const { body: sent } of endpoint.requests) expect(sent).not.toMatch(new RegExp(`Url":"[^"]*${marker}`));
  });

  it('is text in every format, in a diff, in a merge and as a baseline', async () => {
    for (const [turn] of canaryKinds.entries()) {
      const report = fullReport();
      const paths = leavesOf(report).filter((path) => typeof valueAt(report, path) === 'string'); // prettier-ignore
      const kept =
        /^(?:harness|verdict|startedAt|.*\/(?:verdict|level|startedAt|at|until|kind|outcome|by|from|part|state|stream|failOn|digestOf))$|^gate\/baseline\/verdict$|\/cause$/;
      const planted = plantedAt(report, paths.filter((path) => !kept.test(path.join('/'))), turn, world); // prettier-ignore
      await expectNothing(`formats, turn ${turn}`, () => renderFormats(planted, formatNames));
      await expectNothing(`show, turn ${turn}`, () =>
        renderTerminal(planted, { colour: false, width: 100, place: 'x' }),
      );
      await expectNothing(`anonymize, turn ${turn}`, () => anonymize(planted));
      await expectNothing(`diff, turn ${turn}`, () => diffReports(report, planted));
      await expectNothing(`merge, turn ${turn}`, () => mergeReports([planted, report], ['a', 'b']));
      const gate = { failOn: 'must', today: '2026-10-11', waivers: [], baseline: planted, isReplay: false } as const;
      await expectNothing(`baseline, turn ${turn}`, () => applyGate(report, gate));
      const { checks } = JSON.parse(renderFormats(planted, formatNames)['report.json'] ?? '{"checks":[]}') as Report;
      expect(checks.length, 'the formats were written').toBe(2);
    }
  });

  it('starts nothing in a whole replay and a whole diagnosis with a trusted config', async () => {
    const report = repeatableReport();
    const [failed, other] = report.checks as [CheckResult, CheckResult];
    // One check for each of its fields and each kind, so that one run goes through all of them.
    const checks = canaryKinds.flatMap((_, turn) =>
      leavesOf(failed).flatMap((path, at) => {
        const check = withValue(failed, path, canaryAt(path, at + turn, world));
        return typeof valueAt(failed, path) === 'string' ? [check] : [];
      }),
    );
    const valid = checks.filter((check) => validate('report', { ...report, checks: [check] }).length === 0);
    expect(valid.length).toBeGreaterThan(10 * canaryKinds.length);
    const place = await write({ ...report, checks: [...valid, other] }, 'whole.json');
    const env = { CRM_TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc', HOME: got.path };
    const options = { cwd: own.path, env, place: own.at('effects') };
    const replayed = await watchedCommand(['replay', place, '--json'], options);
    expect([1, 3], replayed.stderr).toContain(replayed.code);
    expect(replayed.stderr).toContain(`Replaying ${valid.length} checks`);
    const diagnose = ['diagnose', 'crm-webhook', '--report', place, '--within', '1'];
    const diagnosed = await watchedCommand(diagnose, options);
    expect([0, 1, 3], diagnosed.stderr).toContain(diagnosed.code);
    expect([...replayed.effects, ...diagnosed.effects]).toEqual([]);
    expect(watch.take()).toEqual([]);
  });
});

describe('every field of a capture', () => {
  const recorded = () => {
    const har = JSON.parse(
      harOf([
        message({}, { status: 200, answer: { text: 'Hello' } }),
        hook('appointment.created'),
        call([
          { from: 'service', at: 0, value: sample.sessionStarted() },
          { from: 'ai', at: 1, value: { type: 'text', text: 'Hello', last: true } },
        ]),
      ]),
    ) as { log: { entries: Record<string, never>[] } };
    const [first, ...others] = har.log.entries;
    // Fields in which recorders name files and other resources.
    const entry = {
      ...first,
      pageref: 'page_1',
      serverIPAddress: '127.0.0.1',
      _resourceType: 'xhr',
      _initiator: { type: 'script', url: 'x', stack: { callFrames: [{ url: 'x' }] } },
      _resource: 'x',
      _securityDetails: { subjectName: 'x' },
      cache: { beforeRequest: { eTag: 'x' } },
      response: { ...(first?.['response'] as object | undefined), redirectURL: '', content: { size: 2, mimeType: 'application/json', text: '{}', _file: 'x' } }, // prettier-ignore
      request: { ...(first?.['request'] as object | undefined), queryString: [{ name: 'a', value: 'b' }], cookies: [] },
    };
    return { log: { ...har.log, browser: { name: 'x', version: '1' }, pages: [{ id: 'page_1', title: 'x' }], entries: [entry, ...others] } }; // prettier-ignore
  };

  const judged = (place: string) => sortRecording(readRecording(place), capturedConfig);

  it('is data, in a HAR file and one entry per line', async () => {
    const har = recorded();
    expect(judged(await write(har)).chat.length).toBeGreaterThan(0);
    for (const { name, value } of eachPlanted(har, world)) {
      const place = await write(value, 'capture.har');
      watch.take();
      await expectNothing(name, () => judged(place));
    }
    for (const [turn] of canaryKinds.entries()) {
      const planted = plantedAt(har, leavesOf(har), turn, world);
      const place = await write(planted.log.entries.map((entry) => JSON.stringify(entry)).join('\n'), 'capture.ndjson');
      await expectNothing(`NDJSON, turn ${turn}`, () => judged(place));
    }
  });

  it('is data in the log of serve and in the events of a run', async () => {
    const delivery = { seq: 1, at: '2026-10-20T09:00:00.000Z', type: 'delivery', text: 'x', data: { kind: 'own-ai-chat', url: 'http://127.0.0.1:1/', method: 'POST', headers: [['a', 'b']], body: '{}', status: 200, answer: '{}' } }; // prettier-ignore
    for (const line of [delivery, readableExample('runEvent', 'fullest')]) {
      for (const { name, value } of eachPlanted(line, world)) {
        const place = await write(`${JSON.stringify({ baseUrl: 'x', controlUrl: 'x' })}\n${JSON.stringify(value)}\n`);
        await expectNothing(name, () => judged(place));
      }
    }
  });

  it('starts nothing in a whole check', async () => {
    const har = recorded();
    const strings = leavesOf(har).filter((path) => /^(?:text|value|name|url|_.*|title|redirectURL|mimeType|data|comment)$/.test(String(path.at(-1)))); // prettier-ignore
    const paths = strings.filter((path) => !/\/request\/(?:url|headers)|text$/.test(path.join('/')));
    const [planted, ...others] = canaryKinds.map((_, turn) => plantedAt(har, paths, turn, world).log);
    if (!planted) throw new Error('nothing is planted');
    const log = {
      ...planted,
      pages: [planted, ...others].flatMap(({ pages }) => pages),
      entries: [planted, ...others].flatMap(({ entries }) => entries),
    };
    const place = await write({ log }, 'whole.har');
    const options = { cwd: own.path, env: { CRM_TOKEN: 'x' }, place: own.at('effects') };
    const { code, stderr, effects } = await watchedCommand(['check', '--capture', place], options);
    expect([0, 1, 3], stderr).toContain(code);
    expect(effects).toEqual([]);
    expect(watch.take()).toEqual([]);
  });
});

describe('every field of a contract', () => {
  const interaction = {
    type: 'Synchronous/HTTP',
    key: '1',
    description: 'asks who it is',
    pending: false,
    comments: { text: ['x'], testname: 'x', references: { x: { y: 'z' } } },
    providerStates: [{ name: 'an assistant exists', params: { name: 'Ada', chatUrl: 'https://a.example/', voiceUrl: 'wss://a.example/' } }], // prettier-ignore
    request: {
      method: 'GET',
      path: '/v1/agents',
      query: { a: ['b'] },
      headers: { 'X-Api-Key': ['svc_sk_x'], Accept: ['application/json'] },
      generators: {
        path: { type: 'ProviderState', expression: '/v1/agents' },
        header: { Accept: { type: 'Regex', regex: 'a' } },
      },
      matchingRules: { header: { Accept: { matchers: [{ match: 'regex', regex: '.*' }], combine: 'AND' } } },
    },
    response: {
      status: 200,
      headers: { 'Content-Type': ['application/json'] },
      body: { contentType: 'application/json', encoded: false, content: { agents: [] } },
      matchingRules: { body: { $: { matchers: [{ match: 'type' }], combine: 'AND' } } },
      generators: { body: { '$.a': { type: 'MockServerURL', example: 'http://127.0.0.1/x', regex: '.*(/x)' } } },
    },
    transport: 'http',
    interactionMarkup: { markup: 'x', markupType: 'COMMON_MARK' },
    pluginConfiguration: undefined as unknown,
  };
  const contract = (interactions: unknown[]) => ({
    consumer: { name: 'a' },
    provider: { name: 'b' },
    interactions,
    metadata: {
      pactSpecification: { version: '4.0' },
      pactRust: { models: '1' },
      plugins: [{ name: 'x', version: '1', configuration: { a: 'x' } }],
    },
    _links: { 'pb:publish-verification-results': { href: 'x' }, self: { href: 'x' } },
    createdAt: 'x',
  });

  /** Pact's verifier runs in a separate process, which is watched through its requests and its files. */
  async function judgedWithoutEffect(value: unknown, name: string): Promise<Awaited<ReturnType<typeof judgeContract>>> {
    const text = JSON.stringify(value);
    watch.take();
    const judgedContract = await judgeContract(text);
    expect(watch.take(), name).toEqual([]);
    return judgedContract;
  }

  it('is data to the verifier', async () => {
    const plain = await judgedWithoutEffect(contract([interaction]), 'unchanged');
    expect(plain.interactions.map(({ replayed }) => replayed)).toEqual([true]);
    for (const [turn] of canaryKinds.entries()) {
      const planted = leavesOf(interaction).flatMap((path, at) => {
        const changed = withValue(interaction, path, canaryAt(path, at + turn, world));
        const { type, request, response } = changed;
        const isReadable = request.method === 'GET' && request.path.startsWith('/') && response.status === 200;
        return isReadable && typeof type === 'string' ? [changed] : [];
      });
      const whole = contract(planted);
      const outer = leavesOf({ ...whole, interactions: [] }).filter((path) => !['pactSpecification', 'interactions'].includes(String(path[1] ?? path[0])) && path[0] !== 'interactions'); // prettier-ignore
      await judgedWithoutEffect(plantedAt(whole, outer, turn, world), `turn ${turn}`);
    }
  });

  it('is refused or data where it cannot be a contract', async () => {
    for (const { name, value } of eachPlanted(contract([]), world)) {
      await expectNothing(name, () => judgeContract(JSON.stringify(value)));
    }
  });

  it('is data in the meaning of states', async () => {
    const words = {
      'a customer': { state: 'a contact exists', params: { phone: '+4915228817386', email: '${mail}' } },
    };
    for (const { name, value } of eachPlanted(words, world)) {
      await expectNothing(name, () => readStateTranslations(JSON.stringify(value)));
    }
    for (const tag of ['!!js/function "x"', '!include canary.yaml', '!!python/object/apply:os.system ["canary"]']) {
      await expectNothing(tag, () => readStateTranslations(`a: ${tag}\n`));
    }
  });
});

describe('every field of a scenario', () => {
  /** The fields that each step requires in addition to the planted one. */
  const needed: Record<string, unknown> = { text: 'x', key: 'sales', reason: 'failed', kind: 'slow', event: 'call' };

  it('is data, and its addresses are those of the config', async () => {
    await using wire = new StandaloneTransport();
    await using outbound = new HarnessOutbound(wire);
    const addresses = connectableAddresses({ crmWebhook: { url: endpoint.url, token: 'x' } }, []);
    let played = 0;
    for (const step of stepNames) {
      const { required, fields } = stepDescription(step);
      const base = Object.fromEntries(required.map((name) => [name, needed[name]]));
      const quick = step === 'wait-for' ? { withinSeconds: 0 } : {};
      for (const name of Object.keys(fields)) {
        for (const [turn, kind] of canaryKinds.entries()) {
          const canary = canaryAt([step, name], turn, world);
          for (const value of [canary, [canary], { [canary]: canary }, [{ interrupt: canary }]]) {
            const place = await write([{ [step]: { ...base, ...quick, [name]: value } }], 'scenario.json');
            await expectNothing(`${step}.${name}: ${kind}`, async () => {
              const script = await readScript(place);
              assertConnectable(script, addresses);
              const secrets = { webhookToken: 'token-of-a-test', webhookSecret: 'whk_of-a-test' };
              const seed = { apiKeys: { svc_sk_of_a_test: 'x' }, crmWebhook: { url: endpoint.url, token: 'x' } };
              await using service = await ControlledService.open({ outbound, secrets, inboxes: [seed] });
              played++;
              for (const one of script.steps) await service.player.play(one.step);
            });
          }
        }
      }
    }
    expect(played).toBeGreaterThan(50);
  });

  it('has no tags that construct objects', async () => {
    for (const tag of ['!!js/function "x"', `!include ${marker}.yaml`, `!!binary ${marker}`, '&a [*a]']) {
      const place = await write(`- customer-writes: { text: ${tag} }\n`, 'scenario.yaml');
      await expectNothing(tag, () => readScript(place));
    }
  });
});

describe('every field of a certificate', () => {
  it('is data, signed or not', async () => {
    const keys = newKeyPair();
    const key = privateKeyOf(keys.privateKey);
    const publicKey = publicKeyOf(keys.publicKey);
    const [reportText, killMatrix, now] = [renderJson(cleanReport), '{"a/b":[]}', new Date(cleanReport.startedAt)];
    const given = {
      report: cleanReport,
      reportText,
      killMatrix,
      key,
      version: '0.1.0',
      now,
      catalogue: sampleCatalogue,
    };
    const outcome = certifyReport(given);
    if ('refused' in outcome) throw new Error(outcome.refused.join(' '));
    const verify = (text: string) =>
      verifyCertificate({ certificate: Buffer.from(text), report: Buffer.from(reportText), publicKey, killMatrix, version: '0.1.0', now, catalogue: sampleCatalogue }); // prettier-ignore
    expect(verify(outcome.text).outcome).toBe('genuine');
    const envelope = JSON.parse(outcome.text) as { payload: string; payloadType: string };
    for (const { name, value } of eachPlanted(envelope, world)) {
      await expectNothing(name, () => verify(JSON.stringify(value)));
    }
    const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as unknown;
    for (const { name, value } of eachPlanted(statement, world)) {
      await expectNothing(name, () => verify(sealEnvelope(JSON.stringify(value), key)));
    }
  });
});

describe('every link of a list', () => {
  it('is text', async () => {
    const links = canaryKinds.flatMap((_, turn) => {
      const canary = canaryAt(['link'], turn, world);
      return [
        canary,
        `svc://open/project?projectId=${canary}`,
        `https://${world.host}/open/dial?number=${canary}`,
        `# ${canary}`,
      ];
    });
    await expectNothing('links', () => judgedLinks(parseLinkList(Buffer.from(links.join('\n')))));
    const judged = judgedLinks(parseLinkList(Buffer.from(links.join('\n'))));
    expect(judged.summary.fail).toBeGreaterThan(0);
  });
});

describe('every reference of a document that is compared', () => {
  const compared = async (name: string, document: unknown) => {
    await mkdir(file(`documents/${dirname(name)}`), { recursive: true });
    const place = await write(document, `documents/${name}`);
    const { documents, others } = await readDocuments(place);
    for (const each of Object.values(documents)) invalidSchema(each);
    return compareDocuments(documents, documents, { older: others, newer: others });
  };

  it('leads to no file and no address', async () => {
    const agents = openApiDocument() as unknown as { paths: Record<string, unknown>; components: unknown };
    const [path = ''] = Object.keys(agents.paths);
    const openApi = { ...agents, paths: { [path]: agents.paths[path] } };
    const documents = { 'scenario.json': schemas.scenario, 'openapi.json': openApi };
    for (const [name, document] of Object.entries(documents)) {
      const places = leavesOf(document).filter((at) => at.at(-1) === '$ref');
      expect(places.length).toBeGreaterThan(5);
      for (const [index, at] of places.entries()) {
        // All places are resolved alike: one of them leads everywhere, and each of the others to one kind.
        for (const turn of index === 0 ? canaryKinds.keys() : [index]) {
          const planted = withValue(document, at, canaryAt(at, turn, world));
          await expectNothing(`${name} ${placeName(at)}`, () => compared(name, planted));
        }
      }
      for (const [turn] of canaryKinds.entries()) {
        const canary = canaryAt(['id'], turn, world);
        for (const keyword of ['$id', '$schema', '$dynamicRef', 'externalDocs', 'servers', 'id']) {
          await expectNothing(keyword, () => compared(name, { ...document, [keyword]: canary }));
        }
      }
    }
  });
});

describe('the watch itself', () => {
  it('detects the effects of planted values', async () => {
    const { exec } = await import('node:child_process');
    await new Promise((resolve) => exec(`echo ${marker}`, resolve));
    await readFile(`${got.path}/${marker}.json`).catch(() => undefined);
    await fetch(`http://${world.host}/${marker}`);
    expect(process.env.CANARY_a).toBe('value-of-CANARY_a');
    const seen = watch.take().map((effect) => effect.split(' ')[0]);
    expect(new Set(seen)).toEqual(new Set(['run', 'read', 'connect', 'request', 'variable']));
  });
});
