import { nearestConfig } from '../../harness/config/config-file.ts';
import { surfaceKeys } from '../../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { visibleOnOneLine } from '../../reports/text/visible-controls.ts';
import { surfaces as knownSurfaces, type Surface } from '../../specs/requirements/catalogue.ts';
import type { DiagnosedSurface, Report } from '../../specs/generated/types.ts';
import { assertReference, credentialFlag, endpointFlags, onlyEndpoints, reportFlagErrors } from './endpoint-flags.ts';
import type { EndpointFlags } from './endpoint-flags.ts';
import { readTarget, type Target, type TargetOptions } from './read-target.ts';
import { shellCommand } from '../plan/shell-command.ts';
import { shellWords } from '../plan/shell-words.ts';
import { targetNames } from './target-names.ts';
import { configRedactor } from '../run-context.ts';
import { UsageError } from '../usage-error.ts';

// The one place that decides what is trusted: flags, the environment, and the config that a flag names or that the
// search from the working directory finds. Reports, captures, baselines, contracts, certificates, scenarios and lists of
// links are untrusted. What only they name is compared and shown, and never read, run, resolved or contacted. No
// function here uses a file, a variable or an address from them.

/** What the command line says about the target; all of it is trusted. */
export type TrustedFlags = EndpointFlags & TargetOptions;

/**
 * The target that flags or the config name for these surfaces.
 *
 * @param surfaces those that are needed. Where all of them are endpoints, the others of the config are omitted, and
 *   their secrets need not be there. `url` and `credential` of the flags are of one surface.
 * @param report what is repeated. Without `--config` or an address in the flags, the nearest config has to name the
 *   same target as the report.
 * @throws UsageError that says which flag to add, as `readTarget` otherwise
 */
export async function trustedTarget(
  surfaces: readonly string[],
  { url, credential, ...options }: TrustedFlags,
  environment: NodeJS.ProcessEnv,
  report?: Report,
): Promise<Target> {
  const wanted = surfaces.filter(isKnown);
  const endpoints = wanted.filter(isEndpoint);
  const [surface] = endpoints;
  const given = { url, credential };
  const isOverruled = url !== undefined || credential !== undefined;
  if (isOverruled && (surface === undefined || surfaces.length > 1)) {
    throw new UsageError(
      `An address or secret is of one endpoint, and this is about ${surfaces.join(' and ')}: name one, or give --config.`,
    );
  }
  if (surface !== undefined && credential !== undefined) assertReference(credential, credentialFlag(surface));
  const isNamed = options.config !== undefined || hasEndpointFlags(options);
  const isWhole = url !== undefined && credential !== undefined;
  const isNearest =
    !isNamed && !(isWhole && report?.configFile === undefined) && nearestConfig(process.cwd()) !== undefined;
  if (!isNamed && !isNearest) {
    if (surface === undefined || !isWhole) throw withoutConfig(wanted, given, report);
    const { url: urlKey, credential: key } = endpointFlags[surface];
    const flags = { ...options, [urlKey]: url, [key]: credential };
    return await reportFlagErrors(surface, given, () => readTarget(flags, environment));
  }
  const edit = (value: unknown) => {
    if (surface === undefined || endpoints.length < surfaces.length) return value;
    const isThere = typeof value === 'object' && value !== null && surfaceKeys[surface] in value;
    return onlyEndpoints(value, endpoints, isThere || isWhole ? given : {});
  };
  const read = () => readTarget(options, environment, edit);
  const target = surface === undefined ? await read() : await reportFlagErrors(surface, given, read);
  return assertNamed(target, { wanted, options: { ...options, ...given }, report });
}

/** The addresses to which a scenario may connect: those of the config, and those of `--connect`. */
export function connectableAddresses(
  { crmWebhook, apiWebhooks, chat, phone }: Partial<ResolvedConfig>,
  given: readonly string[],
): ReadonlySet<string> {
  const configured = [crmWebhook, apiWebhooks, chat, phone].flatMap((endpoint) => (endpoint ? [endpoint.url] : []));
  return new Set([...configured, ...given]);
}

interface Repeated {
  wanted: readonly Surface[];
  options: TrustedFlags;
  report: Report | undefined;
}

/** Returns the target, unchanged, if it has what is wanted and is what the report is about. */
function assertNamed(target: Target, { wanted, options, report }: Repeated): Target {
  const source = target.configFile ?? 'The config';
  if (report && options.config === undefined && options.url === undefined && !hasEndpointFlags(options)) {
    assertSame(target, report, wanted, options);
  }
  const missing = wanted.find((one) => target.config[surfaceKeys[one]] === undefined);
  if (missing === undefined) return target;
  const flags = isEndpoint(missing) ? `, or by ${urlFlags(missing)}` : '';
  throw new UsageError(`${source} has no ${surfaceKeys[missing]}: name the endpoint there${flags}.`);
}

function assertSame(target: Target, report: Report, wanted: readonly Surface[], { image }: TrustedFlags): void {
  const gone = describeLostTarget(report);
  if (gone !== undefined) throw new UsageError(`${gone} Give ${otherFlags(wanted)}.`);
  const names = targetNames(target.config, knownSurfaces, configRedactor(target.config));
  const source = target.configFile ?? 'the config';
  for (const surface of wanted.filter(isEndpoint)) {
    if (report.target[surface] === undefined) throw new UsageError(`The report is not about ${surface}.`);
  }
  for (const [surface, now] of Object.entries(names)) {
    for (const [kind, value] of Object.entries(now)) {
      const was = Object.hasOwn(report.target, surface) && report.target[surface]?.[kind as keyof typeof now];
      if (typeof was !== 'string' || was === value) continue;
      throw notTrusted(`The report is about ${was} (${surface}), and ${source} names ${value}.`, report, wanted);
    }
  }
  const missing = wanted.find((surface) => report.target[surface] !== undefined && names[surface] === undefined);
  if (missing !== undefined) {
    throw notTrusted(`${source} has no ${surfaceKeys[missing]}, which the report is about.`, report, wanted);
  }
  const { container } = report;
  if (container === undefined || image !== undefined || container.image === target.config.container?.image) return;
  throw notTrusted(`The report is about the image ${container.image}, which ${source} does not name.`, report, wanted);
}

function withoutConfig(wanted: readonly Surface[], { url }: EndpointFlags, report: Report | undefined): UsageError {
  const [surface] = wanted.filter(isEndpoint);
  if (surface !== undefined && url !== undefined)
    return new UsageError(`--url needs ${credentialFlag(surface)} env:NAME.`);
  const nothing = 'There is no config file here or above';
  if (!report)
    return new UsageError(`${nothing}: name the endpoint by ${surface ? urlFlags(surface) : '--config FILE'}.`);
  const gone = describeLostTarget(report);
  if (gone !== undefined) return new UsageError(`${gone} Give ${otherFlags(wanted)}.`);
  const named = wanted.flatMap((one) => report.target[one]?.url ?? []).join(' and ');
  return notTrusted(`The report is about ${named || 'something else'}. ${nothing}.`, report, wanted);
}

/** What a report names may be right, but only the user can confirm it. */
function notTrusted(why: string, report: Report, wanted: readonly Surface[]): UsageError {
  const named = namedIn(report);
  const flags = otherFlags(wanted);
  const advice =
    named.length === 0
      ? `Give ${flags}.`
      : `If what it names is yours, repeat this with ${shellCommand(named)}. Otherwise give ${flags}.`;
  // On one line: a name with line breaks could imitate our own messages.
  return new UsageError(visibleOnOneLine(`${why} What only a report names is not contacted, read or run. ${advice}`));
}

function otherFlags(wanted: readonly Surface[]): string {
  const [surface, ...others] = wanted;
  const isOne = surface !== undefined && others.length === 0 && isEndpoint(surface);
  return isOne ? `--config FILE, or ${urlFlags(surface)}` : '--config FILE';
}

function urlFlags(surface: DiagnosedSurface): string {
  return `--url ADDRESS and ${credentialFlag(surface)} env:NAME`;
}

/** Why a report names nothing that could be compared. */
function describeLostTarget(report: Report): string | undefined {
  if (report.anonymized === true) return 'The report is anonymised, so it names no endpoint that could be asked again.';
  if (commandOf(report)[0] === 'demo') return 'The report is of the demo, whose endpoint ended with it.';
  return undefined;
}

/** Flags of `check` and `pact verify` that name a target. */
const namingFlags: ReadonlySet<string> = new Set([
  '--config',
  '--image',
  ...Object.values(endpointFlags).flatMap((flags) => [flags.urlFlag, flags.credentialFlag]),
]);

/** The flags by which the run named its target, as words to show. */
function namedIn(report: Report): string[] {
  const words = commandOf(report);
  const flags = words.flatMap((word, at) => {
    const value = words[at + 1];
    return namingFlags.has(word) && value !== undefined ? [word, value] : [];
  });
  if (flags.length > 0 || report.configFile === undefined) return flags;
  return ['--config', report.configFile];
}

/** The words after the program's name, of the first command with which the report repeats a check. */
function commandOf({ checks }: Report): string[] {
  const command = checks.find(({ reproduce }) => reproduce !== undefined)?.reproduce ?? '';
  const words = shellWords(command);
  return words.slice(words.indexOf('svc-conform') + 1);
}

function isKnown(surface: string): surface is Surface {
  return (knownSurfaces as readonly string[]).includes(surface);
}

function isEndpoint(surface: string): surface is DiagnosedSurface {
  return Object.hasOwn(endpointFlags, surface);
}

function hasEndpointFlags(options: TargetOptions): boolean {
  return Object.values(endpointFlags).some((keys) => (options[keys.url] ?? options[keys.credential]) !== undefined);
}
