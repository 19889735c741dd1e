import { randomInt } from 'node:crypto';
import { Connection } from '../diagnosis/connection.ts';
import { diagnose, isPassed } from '../diagnosis/diagnose.ts';
import { failingFrom } from '../diagnosis/failing-from.ts';
import type { Failing } from '../diagnosis/outcome.ts';
import { containerAddress } from '../harness/container/container-settings.ts';
import { surfaceKeys } from '../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { createPaint } from '../reports/write/terminal/terminal-paint.ts';
import { limits } from '../specs/limits.ts';
import type { DiagnosedSurface, Diagnosis, Report } from '../specs/generated/types.ts';
import { diagnosisProgress } from './diagnosis-progress.ts';
import { renderDiagnosis } from './diagnosis-view.ts';
import { suggestion } from '../specs/nearest.ts';
import { decideExitCode } from './exit-codes.ts';
import { incompleteExitCode } from '../run/exit-code.ts';
import { assertReference, credentialFlag, endpointFlags } from '../run/config/endpoint-flags.ts';
import { readReport } from '../run/input/read-report.ts';
import { largestSeed } from '../run/run-input.ts';
import { shellCommand, redactWords } from '../run/plan/shell-command.ts';
import { wantsColour, write } from '../run/output/terminal.ts';
import { trustedTarget } from '../run/config/trusted-target.ts';
import { UsageError } from '../run/usage-error.ts';

/** The flags of `diagnose`. */
export interface DiagnoseFlags {
  config?: string;
  url?: string;
  /** `env:NAME`, like the other credentials. */
  secret?: string;
  token?: string;
  oldSecret?: string;
  report?: string;
  timeoutSeconds?: number;
  /** Seconds. */
  within: number;
  seed?: number;
  json?: boolean;
}

/** Exit code when a cause was found; without one it is {@link incompleteExitCode}. */
const causeExitCode = 1;
/** Columns when the terminal reports none. */
const usualWidth = 100;

/** Diagnoses one connection, prints the findings, and sets the exit code. Throws {@link UsageError}. */
export async function diagnoseOne(surface: DiagnosedSurface, flags: DiagnoseFlags): Promise<void> {
  assertSurface(surface);
  const credential = credentialOf(surface, flags);
  const report = flags.report === undefined ? undefined : await readReport(flags.report);
  const { config: file, url } = flags;
  const named = { url, credential, ...(file !== undefined && { config: file }) };
  const target = await trustedTarget([surface], named, process.env, report);
  const oldSecret = oldSecretOf(flags.oldSecret, process.env);
  const config = withTimeout(withOldSecret(only(surface, target.config), oldSecret), surface, flags.timeoutSeconds);
  const seed = flags.seed ?? report?.seed ?? randomInt(largestSeed);
  const { json = false } = flags;
  const paint = createPaint(wantsColour(process.stdout));
  await using connection = await Connection.open(surface, config, {
    seed,
    withinMs: flags.within * 1000,
    oldSecret,
  });
  const words = ['npx', 'svc-conform', 'diagnose', surface, ...againFlags(flags, seed)];
  const found = await diagnose(connection, {
    failing: report ? failingIn(report, surface) : [],
    commands: [shellCommand(redactWords(words, connection.redact))],
    ...diagnosisProgress(process.stderr, { isAlone: json }),
  });
  const width = process.stdout.columns || usualWidth;
  const text = json ? `${JSON.stringify(found)}\n` : renderDiagnosis(found, { paint, width });
  await write(process.stdout, text, { notation: json ? 'json' : 'plain' });
  decideExitCode(exitCodeOf(found));
}

function exitCodeOf(diagnosis: Diagnosis): number {
  if (diagnosis.cause) return causeExitCode;
  return isPassed(diagnosis) ? 0 : incompleteExitCode;
}

function assertSurface(surface: string): asserts surface is DiagnosedSurface {
  const known = Object.keys(endpointFlags);
  if (known.includes(surface)) return;
  throw new UsageError(
    `${surface}: expected ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.${suggestion(surface, known)}`,
  );
}

function credentialOf(surface: DiagnosedSurface, { secret, token, oldSecret }: DiagnoseFlags): string | undefined {
  const flag = credentialFlag(surface);
  const [given, other] = flag === '--token' ? [token, secret] : [secret, token];
  if (other !== undefined) {
    throw new UsageError(`${surface} has a ${flag.slice(2)}: give ${flag} env:NAME.`);
  }
  if (given !== undefined) assertReference(given, flag);
  if (oldSecret !== undefined) assertReference(oldSecret, '--old-secret');
  return given;
}

/** Reduces the config to one endpoint, so that nothing is sent to another one. */
function only(surface: DiagnosedSurface, { skills, stimuli, service, observe, ...config }: ResolvedConfig) {
  const { [surfaceKeys[surface]]: endpoint } = config;
  const one: ResolvedConfig = {
    skills,
    stimuli,
    service,
    ...(observe && { observe }),
    [surfaceKeys[surface]]: endpoint,
  };
  const inContainer = containerAddress(one);
  if (inContainer === undefined) return one;
  throw new UsageError(
    `diagnose does not start containers, and the address is ${inContainer}. Give the address of a running one with --url and ${credentialFlag(surface)}.`,
  );
}

function oldSecretOf(reference: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  if (reference === undefined) return undefined;
  const name = reference.slice('env:'.length);
  const { [name]: value } = environment;
  if (value) return value;
  throw new UsageError(
    `--old-secret is ${reference}, but the environment variable ${name} is ${value === '' ? 'empty' : 'not set'}.`,
  );
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
  const key = surface === 'own-ai-chat' ? 'chat' : 'phone';
  const { [key]: endpoint } = config;
  if (!surface.startsWith('own-ai') || !endpoint) {
    throw new UsageError('--timeout-seconds applies to own-ai-chat and own-ai-phone only.');
  }
  if (timeoutSeconds < least || timeoutSeconds > most) {
    throw new UsageError(`--timeout-seconds: expected ${least} to ${most}, received ${timeoutSeconds}.`);
  }
  return { ...config, [key]: { ...endpoint, timeoutSeconds, timeoutGiven: true } };
}

function failingIn({ checks, exchanges }: Report, surface: DiagnosedSurface): Failing[] {
  return checks
    .filter((check) => check.surface === surface && check.verdict === 'fail')
    .map((check) => failingFrom(check, exchanges));
}

/** The flags that repeat this diagnosis. */
function againFlags(
  { config, url, secret, token, report, oldSecret, timeoutSeconds, within }: DiagnoseFlags,
  seed: number,
) {
  const named: Record<string, string | number | undefined> = {
    '--config': config,
    '--url': url,
    '--secret': secret,
    '--token': token,
    '--report': report,
    '--old-secret': oldSecret,
    '--timeout-seconds': timeoutSeconds,
    '--within': within,
    '--seed': seed,
  };
  return Object.entries(named).flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]));
}
