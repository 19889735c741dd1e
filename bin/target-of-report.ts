import { readConfigFile } from '../harness/config-file.ts';
import { HarnessFault } from '../harness/faults.ts';
import { surfaceKeys } from '../harness/resolve-config.ts';
import type { DiagnosedSurface, Report } from '../specs/types.ts';
import { assertReference, credentialFlag, endpointFlags, isRedacted, onlyEndpoints } from './one-endpoint.ts';
import type { EndpointFlags } from './one-endpoint.ts';
import { readTarget, type Target, type TargetOptions } from './read-target.ts';
import { shellWords } from './shell-words.ts';
import { UsageError } from './usage-error.ts';

/** What flags say about the target of a report; they go before what the report says. */
export interface ReportTargetOptions extends EndpointFlags {
  /** Endpoints that are wanted; the others of a config are left out, and their secrets need not be there. */
  surfaces: readonly DiagnosedSurface[];
  config?: string | undefined;
}

/** The options that name a target in a command; none of them when the nearest config file does. */
type Named = Partial<Record<NamingOption, string>>;
type NamingOption = Exclude<keyof TargetOptions, 'suites'>;

/** Flags of `check` and `pact verify` that name a target, by the option that they set. */
const namingFlags = new Map<string, NamingOption>([
  ['--config', 'config'],
  ['--image', 'image'],
  ...Object.values(endpointFlags).flatMap((flags): [string, NamingOption][] => [
    [flags.urlFlag, flags.url],
    [flags.credentialFlag, flags.credential],
  ]),
]);

/**
 * The endpoints that a report is about, as they can be asked again: from its config file, or from the flags in its
 * commands, or from the address that it names. Secrets come from the environment: a report holds none.
 *
 * @param options `url` and `credential` are of one surface, so `surfaces` has one then
 * @throws UsageError when the report does not name them any more, with the flags that do; as `readTarget` otherwise
 */
export async function targetOfReport(
  report: Report,
  { surfaces, url, credential, config }: ReportTargetOptions,
  environment: NodeJS.ProcessEnv,
): Promise<Target> {
  const [surface] = surfaces;
  if (surface === undefined) throw new HarnessFault('check-broken', 'No surface was named.');
  if (credential !== undefined) assertReference(credential, credentialFlag(surface));
  if ((url ?? credential) !== undefined && surfaces.length > 1) {
    throw new UsageError(
      `An address or secret is of one surface, and this is about ${surfaces.join(' and ')}: name one, or give --config.`,
    );
  }
  const fromFile = async (options: Named) => {
    const edit = (value: unknown) => onlyEndpoints(value, surfaces, { url, credential });
    return assertNamed(await readTarget(options, environment, edit), surfaces);
  };
  if (config !== undefined) return await fromFile({ config });
  const isGone = whyGone(report) !== undefined;
  const named = isGone ? undefined : namedIn(report);
  const file = named?.config ?? report.configFile;
  const isByFlags = Object.values(endpointFlags).some((flags) => named?.[flags.url] !== undefined);
  if (!isGone && !isByFlags && (named ?? file) !== undefined) {
    if (await isThere(file)) return await fromFile({ ...named, ...(file !== undefined && { config: file }) });
    if (url === undefined || credential === undefined) {
      throw new UsageError(
        `The report names ${file ?? 'a config file'}, which is not here: run this in the folder of the run, or give ${flagsFor(surface)}.`,
      );
    }
  }
  const flags: Named = named?.image === undefined ? {} : { image: named.image };
  for (const each of surfaces) {
    const keys = endpointFlags[each];
    const address = url ?? named?.[keys.url] ?? report.target[each]?.url;
    const reference = credential ?? named?.[keys.credential];
    if (address === undefined || isRedacted(address) || (isGone && url === undefined)) {
      throw new UsageError(`${whyGone(report) ?? whyUnnamed(address, each)} Give ${flagsFor(each)}.`);
    }
    if (reference === undefined) {
      throw new UsageError(
        `The report names the address of ${each} (${address}), and not where its secret is: give ${credentialFlag(each)} env:NAME.`,
      );
    }
    flags[keys.url] = address;
    flags[keys.credential] = reference;
  }
  return await readTarget(flags, environment);
}

function flagsFor(surface: DiagnosedSurface): string {
  return `--config FILE, or --url ADDRESS and ${credentialFlag(surface)} env:NAME`;
}

/** What a report was about, where that is not there any more under the same name. */
function whyGone(report: Report): string | undefined {
  if (report.anonymized === true) return 'The report is anonymised, so it names no endpoint that could be asked again.';
  if (verbOf(report) === 'demo') return 'The report is of the demo, whose endpoint ended with it.';
  return undefined;
}

function whyUnnamed(address: string | undefined, surface: DiagnosedSurface): string {
  return address === undefined
    ? `The report is not about ${surface}.`
    : `The address of ${surface} has a secret in it, which the report does not hold.`;
}

async function isThere(file: string | undefined): Promise<boolean> {
  try {
    return (await readConfigFile(process.cwd(), file)) !== undefined;
  } catch (error) {
    // Whoever reads it tells what is wrong with it.
    return !(error instanceof HarnessFault && error.code === 'config-not-found');
  }
}

function assertNamed(target: Target, surfaces: readonly DiagnosedSurface[]): Target {
  const missing = surfaces.find((surface) => target.config[surfaceKeys[surface]] === undefined);
  if (missing === undefined) return target;
  throw new UsageError(
    `${target.configFile ?? 'The config'} has no ${surfaceKeys[missing]} any more, which the report is about: give ${flagsFor(missing)}.`,
  );
}

/** The words after the program's name, of the first command with which the report repeats a check. */
function commandOf({ checks }: Report): string[] {
  const command = checks.find(({ reproduce }) => reproduce !== undefined)?.reproduce ?? '';
  const words = shellWords(command);
  return words.slice(words.indexOf('svc-conform') + 1);
}

function verbOf(report: Report): string | undefined {
  return commandOf(report)[0];
}

/** How the commands of a report name the target; `undefined` where it has none. */
function namedIn(report: Report): Named | undefined {
  const words = commandOf(report);
  if (words[0] !== 'check' && words[0] !== 'pact') return undefined;
  const named: Named = {};
  for (const [at, word] of words.entries()) {
    const option = namingFlags.get(word);
    const value = words[at + 1];
    if (option !== undefined && value !== undefined) named[option] = value;
  }
  return named;
}
