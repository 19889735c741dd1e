import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { causeOf, type CauseId } from '../diagnosis/causes.ts';
import type { ShownFramework } from '../diagnosis/detect-framework.ts';
import { Connection } from '../diagnosis/connection.ts';
import { diagnose, isPassed } from '../diagnosis/diagnose.ts';
import { extractFailing } from '../diagnosis/extract-failing.ts';
import { describeDelivery, formatNoteFile } from '../diagnosis/format-note-file.ts';
import { formatNote } from '../diagnosis/format-note.ts';
import type { Failing } from '../diagnosis/outcome.ts';
import { metRequirements, settledProbes } from '../diagnosis/settled-probes.ts';
import { frameworkNamed, frameworks, snippetCode } from '../diagnosis/snippet-code.ts';
import { selectSnippets } from '../diagnosis/select-snippets.ts';
import { containerAddress } from '../harness/container/container-address.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { describeFileError } from '../specs/faults/describe-file-error.ts';
import { createPaint } from '../reports/write/terminal/terminal-paint.ts';
import { unbrandedReport } from '../reports/model/brand-report.ts';
import { Brand } from '../specs/brand.ts';
import { limits } from '../specs/limits.ts';
import type { DiagnosedSurface, Diagnosis, Report } from '../specs/generated/types.ts';
import { diagnosisProgress } from './diagnosis-progress.ts';
import { suggestion } from '../specs/nearest.ts';
import { decideExitCode } from './exit-codes.ts';
import { incompleteExitCode } from '../run/exit-code.ts';
import { assertReference, credentialFlag } from '../run/config/endpoint-flags.ts';
import { readReport } from '../run/input/read-report.ts';
import { largestSeed } from '../run/run-input.ts';
import { unexplainedFailures } from '../run/diagnose/unexplained-failures.ts';
import { redactValue } from '../service/redact.ts';
import { shellCommand, redactCommand } from '../run/plan/shell-command.ts';
import { outputWidth, wantsColour, write, writeNote } from '../run/output/terminal.ts';
import { withTunnel, withUsedTunnel } from '../run/execute/with-tunnel.ts';
import { configRedactor } from '../harness/config/config-redactor.ts';
import { trustedTarget } from '../run/config/trusted-target.ts';
import { readEnvReference } from '../specs/env-reference.ts';
import { configKeyOf, endpointSurfaces, isEndpointSurface } from '../specs/surfaces.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { renderDiagnosis } from './diagnosis-view.ts';

/** The flags of `diagnose`. */
export interface DiagnoseFlags {
  config?: string;
  target?: string;
  url?: string;
  brand?: string;
  allowHttp?: string[];
  tunnel?: string;
  /** `env:NAME`, like the other credentials. */
  secret?: string;
  token?: string;
  /** Phone number of a known contact; crm-webhook only. */
  knownCaller?: string;
  oldSecret?: string;
  report?: string;
  timeoutSeconds?: number;
  /** Seconds. */
  within: number;
  seed?: number;
  json?: boolean;
  /** File for the note. */
  note?: string;
  thorough?: boolean;
  /** Whether the checks of the surface run if no probe finds anything; default: true. */
  checks?: boolean;
  /** Language or framework of the code; default: the one that the answers reveal. */
  code?: string;
}

/** Exit code when a cause was found; without one it is {@link incompleteExitCode}. */
const causeExitCode = 1;

/** Diagnoses one connection, prints the findings, and sets the exit code. Throws {@link HarnessFault}. */
export async function diagnoseOne(surface: DiagnosedSurface, flags: DiagnoseFlags): Promise<void> {
  assertSurface(surface);
  const chosen = flags.code === undefined ? undefined : { name: frameworkNamed(flags.code) };
  const credential = credentialOf(surface, flags);
  const report = flags.report === undefined ? undefined : unbrandedReport(await readReport(flags.report));
  const { config: file, target: id, url, brand, allowHttp = [], tunnel, knownCaller } = flags;
  if (knownCaller !== undefined && surface !== 'crm-webhook')
    throw new HarnessFault('flag-not-applicable:known-caller');
  const named = {
    url,
    credential,
    allowHttp,
    ...(file !== undefined && { config: file }),
    ...(id !== undefined && { target: id }),
    ...(brand !== undefined && { brand }),
    ...(tunnel !== undefined && { tunnel }),
    ...(knownCaller !== undefined && { knownCaller }),
  };
  const target = await trustedTarget([surface], named, process.env, report);
  const oldSecret = oldSecretOf(flags.oldSecret, process.env);
  const config = withTimeout(withOldSecret(only(surface, target.config), oldSecret), surface, flags.timeoutSeconds);
  const seed = flags.seed ?? report?.seed ?? randomInt(largestSeed);
  const context = { redact: configRedactor(config), report: writeNote };
  await withTunnel(withUsedTunnel(config.service, [surface]), context, async (service, assertOpen) => {
    const input = { flags, seed, oldSecret, report, chosen };
    const probed = await diagnosisOf(surface, { ...config, service }, input);
    const isOpen = isPassed(probed.found) && (report === undefined || failedIn(report, surface).length > 0);
    const { found, deliveries } = isOpen ? await withChecks(probed, { ...config, service }, input) : probed;
    await assertOpen();
    const brand = Brand.named(config.brand);
    await print(brand.value(found), flags);
    if (flags.note !== undefined) {
      const { redact } = context;
      const text = formatNoteFile({ diagnosis: found, deliveries, redact });
      await writeNoteFile(flags.note, brand.text(text));
    }
    decideExitCode(exitCodeOf(found));
  });
}

interface DiagnosisInput {
  flags: DiagnoseFlags;
  seed: number;
  oldSecret: string | undefined;
  report: Report | undefined;
  chosen: ShownFramework | undefined;
}

/** A diagnosis, a line for each of its deliveries, and the commands that repeat it. */
interface Probed {
  found: Diagnosis;
  deliveries: readonly string[];
  commands: readonly string[];
}

async function diagnosisOf(
  surface: DiagnosedSurface,
  config: ResolvedConfig,
  { flags, seed, oldSecret, report, chosen }: DiagnosisInput,
): Promise<Probed> {
  const { json = false } = flags;
  const deliveries: string[] = [];
  await using connection = await Connection.open(surface, config, {
    seed,
    withinMs: flags.within * 1000,
    oldSecret,
    isThorough: flags.thorough,
    ...(report && { met: metRequirements(report.checks) }),
    onExchange: (exchange) => deliveries.push(...[describeDelivery(exchange) ?? []].flat()),
  });
  const words = ['npx', 'svc-conform', 'diagnose', surface, ...againFlags(flags, seed)];
  const brand = Brand.named(config.brand);
  const progress = diagnosisProgress(process.stderr, { isAlone: json });
  const commands = [shellCommand(redactCommand(words, connection.redact))];
  const diagnosis = await diagnose(connection, {
    ...(report && { failing: failingIn(report, surface), settled: settledProbes(report.checks, surface) }),
    commands,
    framework: chosen,
    ...progress,
    onRecord: (record) => progress.onRecord(brand.value(record)),
  });
  const likeliest = diagnosis.cause ?? diagnosis.suspects[0];
  const framework = chosen ?? connection.frameworkSigns.framework;
  const code = likeliest && framework ? await codeFor(likeliest.id, surface, framework) : {};
  return { found: { ...diagnosis, ...code }, deliveries, commands };
}

/** Milliseconds that the checks need at least to judge anything. */
const leastCheckMs = 5_000;

/** The diagnosis of a connection in which no probe found anything, with what the checks of its surface find. */
async function withChecks(
  { found: probed, deliveries, commands }: Probed,
  config: ResolvedConfig,
  { flags, seed, report }: DiagnosisInput,
): Promise<Probed> {
  const { surface, passed, notObserved } = probed;
  const which = report ? 'the checks that failed' : `the checks of ${surface}`;
  const withNote = (whole: Diagnosis) =>
    redactValue({ ...whole, note: formatNote(whole, commands) }, configRedactor(config));
  const without = (why: string) => {
    const found = withNote({ ...probed, notObserved: [...notObserved, `T${which.slice(1)} did not run: ${why}.`] });
    return { found, deliveries, commands };
  };
  if (flags.checks === false) return without('--no-checks skips them');
  const withinMs = (flags.within - probed.seconds) * 1000;
  if (withinMs < leastCheckMs) return without('no time was left; --within allows more');
  if (process.stderr.isTTY) writeNote(`No probe found anything; running ${which}.`);
  const only = report ? failedIn(report, surface).map(({ requirement }) => requirement) : [];
  const from = performance.now();
  const checked = await unexplainedFailures(surface, config, { seed, only, withinMs });
  const isPassing = checked.suspects.length === 0 && checked.isObserved;
  const found = withNote({
    ...probed,
    suspects: checked.suspects,
    passed: isPassing ? [...passed, `No failure in ${which}.`] : passed,
    notObserved: [...notObserved, ...checked.notObserved],
    deliveries: probed.deliveries + checked.deliveries,
    seconds: Math.round(probed.seconds * 100 + (performance.now() - from) / 10) / 100,
  });
  return { found, deliveries: [...deliveries, ...checked.lines], commands };
}

function failedIn({ checks }: Report, surface: DiagnosedSurface): Report['checks'] {
  return checks.filter(
    ({ verdict, ...one }) => one.surface === surface && (verdict === 'fail' || verdict === 'blocked'),
  );
}

/** The code that fixes a cause on a surface, for a framework; absent when no snippet shows it. */
async function codeFor(
  id: string,
  surface: DiagnosedSurface,
  { name, ...from }: ShownFramework,
): Promise<Pick<Diagnosis, 'code'>> {
  const { snippet } = causeOf(id as CauseId);
  const [topic] = snippet === undefined ? [] : selectSnippets({ snippet, surfaces: [surface] }).keys();
  if (topic === undefined) return {};
  const text = await snippetCode(topic, frameworks[name]);
  return { code: { framework: name, ...from, text: text.trimEnd() } };
}

async function writeNoteFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new HarnessFault('file-not-written:note', { file, reason: describeFileError(error) });
  }
  writeNote(`The note to forward is in ${file}.`);
}

async function print(found: Diagnosis, { json = false }: DiagnoseFlags): Promise<void> {
  const paint = createPaint(wantsColour(process.stdout));
  const width = outputWidth(process.stdout);
  const text = json ? `${JSON.stringify(found)}\n` : renderDiagnosis(found, { paint, width });
  await write(process.stdout, text, { notation: json ? 'json' : 'plain' });
}

function exitCodeOf(diagnosis: Diagnosis): number {
  if (diagnosis.cause) return causeExitCode;
  return isPassed(diagnosis) ? 0 : incompleteExitCode;
}

function assertSurface(surface: string): asserts surface is DiagnosedSurface {
  const known = endpointSurfaces;
  if (isEndpointSurface(surface)) return;
  throw new HarnessFault('name-unknown:diagnosed', { surface, known, near: suggestion(surface, known) });
}

function credentialOf(surface: DiagnosedSurface, { secret, token, oldSecret }: DiagnoseFlags): string | undefined {
  const flag = credentialFlag(surface);
  const [given, other] = flag === '--token' ? [token, secret] : [secret, token];
  if (other !== undefined) {
    throw new HarnessFault('flag-not-applicable:credential', { surface, flag });
  }
  if (given !== undefined) assertReference(given, flag);
  if (oldSecret !== undefined) assertReference(oldSecret, '--old-secret');
  return given;
}

/** Reduces the config to one endpoint, so that nothing is sent to another one. */
function only(surface: DiagnosedSurface, whole: ResolvedConfig): ResolvedConfig {
  const { brand, skills, stimuli, service, observe, routes, limits, ...config } = whole;
  const { [configKeyOf(surface)]: endpoint } = config;
  const one: ResolvedConfig = {
    ...(brand !== undefined && { brand }),
    skills,
    stimuli,
    service,
    ...(observe && { observe }),
    ...(routes && { routes }),
    ...(limits && { limits }),
    [configKeyOf(surface)]: endpoint,
  };
  const inContainer = containerAddress(one);
  if (inContainer === undefined) return one;
  throw new HarnessFault('container-not-supported:diagnose', {
    address: inContainer,
    flags: `--url and ${credentialFlag(surface)}`,
  });
}

function oldSecretOf(reference: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  if (reference === undefined) return undefined;
  const read = readEnvReference(reference, environment);
  if ('value' in read) return read.value;
  throw new HarnessFault('secret-missing:variable', { key: '--old-secret', reference, ...read });
}

function withOldSecret(config: ResolvedConfig, value: string | undefined): ResolvedConfig {
  return value === undefined ? config : { ...config, otherSecrets: [{ name: 'old secret', value }] };
}

function withTimeout(
  config: ResolvedConfig,
  surface: DiagnosedSurface,
  timeoutSeconds: number | undefined,
): ResolvedConfig {
  if (timeoutSeconds === undefined) return config;
  const { ownAiTimeoutSecondsMin: least, ownAiTimeoutSecondsMax: most } = limits;
  const key = configKeyOf(surface);
  const { [key]: endpoint } = config;
  if (!endpoint || !('timeoutSeconds' in endpoint)) {
    throw new HarnessFault('flag-not-applicable:timeout');
  }
  if (timeoutSeconds < least || timeoutSeconds > most) {
    throw new HarnessFault('value-invalid:flag', {
      flag: '--timeout-seconds',
      expected: `${least} to ${most}`,
      received: String(timeoutSeconds),
    });
  }
  return { ...config, [key]: { ...endpoint, timeoutSeconds, timeoutGiven: true } };
}

function failingIn({ checks, exchanges }: Report, surface: DiagnosedSurface): Failing[] {
  return checks
    .filter((check) => check.surface === surface && check.verdict === 'fail')
    .map((check) => extractFailing(check, exchanges));
}

/** The flags that repeat this diagnosis. */
function againFlags(flags: DiagnoseFlags, seed: number) {
  const { allowHttp = [] } = flags;
  const named: Record<string, string | number | undefined> = {
    '--config': flags.config,
    '--target': flags.target,
    '--url': flags.url,
    '--brand': flags.brand,
    '--tunnel': flags.tunnel,
    '--allow-http': allowHttp.length === 0 ? undefined : allowHttp.join(','),
    '--secret': flags.secret,
    '--token': flags.token,
    '--known-caller': flags.knownCaller,
    '--report': flags.report,
    '--old-secret': flags.oldSecret,
    '--timeout-seconds': flags.timeoutSeconds,
    '--within': flags.within,
    '--code': flags.code,
    '--seed': seed,
  };
  return [
    ...Object.entries(named).flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)])),
    ...(flags.thorough === true ? ['--thorough'] : []),
    ...(flags.checks === false ? ['--no-checks'] : []),
  ];
}
