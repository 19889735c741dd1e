import { nearestConfig } from '../../harness/config/config-file.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { visibleOnOneLine } from '../../reports/text/visible-controls.ts';
import {
  surfaces as knownSurfaces,
  type Surface,
  configKeyOf,
  endpointSurfaces,
  isEndpointSurface,
  isSurface,
} from '../../specs/surfaces.ts';
import type { DiagnosedSurface, Report } from '../../specs/generated/types.ts';
import {
  assertReference,
  credentialFlag,
  selectEndpoints,
  reportFlagErrors,
  type EndpointFlags,
} from './endpoint-flags.ts';
import { endpointFlags } from '../../specs/endpoint-flags.ts';
import { commandOf, flagsOf, namingFlags } from './report-command.ts';
import { readTarget, type RunTarget, type TargetOptions } from './read-target.ts';
import { shellCommand } from '../plan/shell-command.ts';
import { targetNames } from './target-names.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { isJsonContainer } from '../../specs/json-object.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

// The one place that decides what is trusted: flags, the environment, and the config of a flag or of the search from the
// working directory. Reports, captures, baselines, contracts, certificates, scenarios and lists of links are untrusted.
// Addresses, files and commands that appear only in them are compared and shown, and never read, run, resolved or
// contacted. No function here uses a file, a variable or an address from them.

/** The flags of the command line that select the target; all are trusted. */
export type TrustedFlags = EndpointFlags & TargetOptions;

/**
 * The target of the flags or the config for these surfaces.
 *
 * @param surfaces the surfaces that are needed. If all of them are endpoints, the other endpoints of the config are
 *   omitted, and their secrets are not needed. `url` and `credential` of the flags belong to one surface.
 * @param report the report to repeat. Without `--config` or an address in the flags, the nearest config must have the
 *   same target as the report.
 * @throws HarnessFault that states which flag to add; otherwise like `readTarget`
 */
export async function trustedTarget(
  surfaces: readonly string[],
  { url, credential, ...options }: TrustedFlags,
  environment: NodeJS.ProcessEnv,
  report?: Report,
): Promise<RunTarget> {
  const wanted = surfaces.filter(isSurface);
  const endpoints = wanted.filter(isEndpointSurface);
  const [surface] = endpoints;
  const given = { url, credential };
  const isOverruled = url !== undefined || credential !== undefined;
  if (isOverruled && (surface === undefined || surfaces.length > 1)) {
    throw new HarnessFault('endpoint-missing:ambiguous', { surfaces });
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
    const isThere = isJsonContainer(value) && configKeyOf(surface) in value;
    return selectEndpoints(value, endpoints, isThere || isWhole ? given : {});
  };
  const read = () => readTarget(options, environment, edit);
  const target = surface === undefined ? await read() : await reportFlagErrors(surface, given, read);
  return assertNamed(target, { wanted, options: { ...options, ...given }, report });
}

/** The addresses to which a scenario may connect: those of the config, and those of `--connect`. */
export function connectableAddresses(config: Partial<ResolvedConfig>, given: readonly string[]): ReadonlySet<string> {
  const configured = endpointSurfaces.flatMap((surface) => config[configKeyOf(surface)]?.url ?? []);
  return new Set([...configured, ...given]);
}

interface RepeatedRun {
  wanted: readonly Surface[];
  options: TrustedFlags;
  report: Report | undefined;
}

/** Returns the target unchanged if it has the wanted surfaces and is the target of the report. */
function assertNamed(target: RunTarget, { wanted, options, report }: RepeatedRun): RunTarget {
  const source = target.configFile ?? 'The config';
  if (report && options.config === undefined && options.url === undefined && !hasEndpointFlags(options)) {
    assertSame(target, report, wanted, options);
  }
  const missing = wanted.find((one) => target.config[configKeyOf(one)] === undefined);
  if (missing === undefined) return target;
  const flags = isEndpointSurface(missing) ? `, or give ${urlFlags(missing)}` : '';
  throw new HarnessFault('endpoint-missing:config', { source, key: configKeyOf(missing), flags });
}

function assertSame(target: RunTarget, report: Report, wanted: readonly Surface[], { image }: TrustedFlags): void {
  const gone = describeLostTarget(report);
  if (gone !== undefined)
    throw new HarnessFault('address-not-confirmed:redacted', { reason: gone, flags: otherFlags(wanted) });
  const names = targetNames(target.config, knownSurfaces, configRedactor(target.config));
  const source = target.configFile ?? 'the config';
  for (const surface of wanted.filter(isEndpointSurface)) {
    if (report.target[surface] === undefined) throw new HarnessFault('endpoint-missing:report', { surface });
  }
  for (const [surface, now] of Object.entries(names)) {
    for (const [kind, value] of Object.entries(now)) {
      const was = Object.hasOwn(report.target, surface) && report.target[surface]?.[kind as keyof typeof now];
      if (typeof was !== 'string' || was === value) continue;
      throw notTrusted(`The report is about ${was} (${surface}), but ${source} has ${value}.`, report, wanted);
    }
  }
  const missing = wanted.find((surface) => report.target[surface] !== undefined && names[surface] === undefined);
  if (missing !== undefined) {
    throw notTrusted(`The report is about ${configKeyOf(missing)}, which ${source} does not have.`, report, wanted);
  }
  const { container } = report;
  if (container === undefined || image !== undefined || container.image === target.config.container?.image) return;
  throw notTrusted(`The report is about the image ${container.image}, which ${source} does not use.`, report, wanted);
}

function withoutConfig(wanted: readonly Surface[], { url }: EndpointFlags, report: Report | undefined): HarnessFault {
  const [surface] = wanted.filter(isEndpointSurface);
  if (surface !== undefined && url !== undefined)
    return new HarnessFault('flag-missing:credential', { flag: '--url', needed: credentialFlag(surface) });
  const nothing = 'There is no config file in this directory or above';
  if (!report)
    return new HarnessFault('config-not-found:no-endpoint', { flags: surface ? urlFlags(surface) : '--config FILE' });
  const gone = describeLostTarget(report);
  if (gone !== undefined)
    return new HarnessFault('address-not-confirmed:redacted', { reason: gone, flags: otherFlags(wanted) });
  const named = wanted.flatMap((one) => report.target[one]?.url ?? []).join(' and ');
  return notTrusted(`The report is about ${named || 'something else'}. ${nothing}.`, report, wanted);
}

/** The error for a target that only the report names: only the user can confirm it. */
function notTrusted(why: string, report: Report, wanted: readonly Surface[]): HarnessFault {
  const named = namedIn(report);
  const flags = otherFlags(wanted);
  const advice =
    named.length === 0
      ? `Give ${flags}.`
      : `If that endpoint is yours, repeat this with ${shellCommand(named)}. Otherwise give ${flags}.`;
  // On one line: a name with line breaks could imitate our own messages.
  return new HarnessFault('address-not-confirmed:report', {
    reason: visibleOnOneLine(why),
    advice: visibleOnOneLine(advice),
  });
}

function otherFlags(wanted: readonly Surface[]): string {
  const [surface, ...others] = wanted;
  const isOne = surface !== undefined && others.length === 0 && isEndpointSurface(surface);
  return isOne ? `--config FILE, or ${urlFlags(surface)}` : '--config FILE';
}

function urlFlags(surface: DiagnosedSurface): string {
  return `--url ADDRESS and ${credentialFlag(surface)} env:NAME`;
}

/** Explains why a report names no target that can be compared. */
function describeLostTarget(report: Report): string | undefined {
  if (report.anonymized === true) return 'The report is anonymised, so it does not contain the endpoint.';
  if (commandOf(report)[0] === 'demo') return 'The report is about the demo, whose endpoint no longer runs.';
  return undefined;
}

/** The flags with which the run selected its target, for display. */
function namedIn(report: Report): string[] {
  const flags = flagsOf(commandOf(report), namingFlags);
  if (flags.length > 0 || report.configFile === undefined) return flags;
  return ['--config', report.configFile];
}

function hasEndpointFlags(options: TargetOptions): boolean {
  return Object.values(endpointFlags).some((keys) => (options[keys.url] ?? options[keys.credential]) !== undefined);
}
