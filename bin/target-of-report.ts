import { basename, extname, isAbsolute, relative, sep } from 'node:path';
import { configFileNames, readConfigFile } from '../harness/config-file.ts';
import { withPlace } from '../harness/container-settings.ts';
import { HarnessFault } from '../harness/faults.ts';
import { surfaceKeys } from '../harness/resolve-config.ts';
import { isLoopback } from '../specs/loopback.ts';
import type { DiagnosedSurface, Report } from '../specs/types.ts';
import {
  assertReference,
  credentialFlag,
  endpointFlags,
  isRedacted,
  onlyEndpoints,
  toldByFlag,
} from './one-endpoint.ts';
import type { EndpointFlags } from './one-endpoint.ts';
import { readTarget, type Target, type TargetOptions } from './read-target.ts';
import { shellWords } from './shell-words.ts';
import { UsageError } from './usage-error.ts';

/** What flags say about the target of a report; they go before what the report says. */
export interface ReportTargetOptions extends EndpointFlags {
  /** Endpoints that are wanted; the others of a config are left out, and their secrets need not be there. */
  surfaces: readonly DiagnosedSurface[];
  config?: string | undefined;
  /** The image that is started, where the target is one. */
  image?: string | undefined;
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
 * A report may come from anybody, and names addresses and variables at will. So a bearer token that only the report
 * names goes to this machine alone (a signature tells no secret), no image is started and no program read as a config
 * because a report says so.
 *
 * @param options `url` and `credential` are of one surface, so `surfaces` has one then
 * @throws UsageError when the report does not name them any more, or may not alone, with the flags that do; as
 *   `readTarget` otherwise
 */
export async function targetOfReport(
  report: Report,
  { surfaces, url, credential, config, image }: ReportTargetOptions,
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
  const given = { url, credential };
  const byImage: Named = image === undefined ? {} : { image };
  const fromFile = async (options: Named) => {
    const edit = (value: unknown) => onlyEndpoints(value, surfaces, given);
    const read = () => readTarget({ ...options, ...byImage }, environment, edit);
    return assertNamed(await toldByFlag(surface, given, read), surfaces);
  };
  if (config !== undefined) return await fromFile({ config });
  const isGone = whyGone(report) !== undefined;
  const named = isGone ? undefined : namedIn(report);
  const file = named?.config ?? report.configFile;
  const isByFlags = Object.values(endpointFlags).some((flags) => named?.[flags.url] !== undefined);
  if (named?.image !== undefined && image === undefined && url === undefined) {
    throw new UsageError(
      `The report names the image ${named.image}, and none is started because a report says so. If it is right, replay takes it as --image ${named.image}; otherwise give ${flagsFor(surface)}.`,
    );
  }
  if (!isGone && !isByFlags && (named ?? file) !== undefined) {
    const isEnough = url !== undefined && credential !== undefined;
    if (!isEnough) assertNoProgram(file);
    if (!isProgram(file) && (await isThere(file))) return await fromFile(file === undefined ? {} : { config: file });
    if (!isEnough) {
      throw new UsageError(
        `The report names ${file ?? 'a config file'}, which is not here: run this in the folder of the run, or give ${flagsFor(surface)}.`,
      );
    }
  }
  const flags: Named = { ...byImage };
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
    if (each === 'crm-webhook' && (url ?? credential) === undefined && !isHere(address)) {
      throw new UsageError(
        `The report names ${address} and the variable ${reference.slice('env:'.length)}, whose value would be sent there as it is. If both are right, give --token ${reference}, or --config FILE.`,
      );
    }
    flags[keys.url] = address;
    flags[keys.credential] = reference;
  }
  return await toldByFlag(surface, given, () => readTarget(flags, environment));
}

/** Whether a config is a program, which reading it runs, and not one that `check` would find here by itself. */
function isProgram(file: string | undefined): boolean {
  if (file === undefined || !['.ts', '.js', '.mjs'].includes(extname(file))) return false;
  const place = relative(process.cwd(), file);
  const isOutside = isAbsolute(place) || place.split(sep)[0] === '..';
  return isOutside || !configFileNames.includes(basename(file));
}

/** @throws UsageError for a config file of a report that is a program: a report may name any file */
export function assertNoProgram(file: string | undefined): void {
  if (!isProgram(file)) return;
  throw new UsageError(
    `The report names ${file} as its config file. It is a program, and none is run because a report says so: give --config ${file} if it is yours.`,
  );
}

/** Whether an address is of this machine, or of a container that was named. */
function isHere(address: string): boolean {
  const placed = withPlace(address, 'localhost');
  return URL.canParse(placed) && isLoopback(new URL(placed).hostname);
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
