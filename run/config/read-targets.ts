import { dirname } from 'node:path';
import { readConfigFile } from '../../harness/config/config-file.ts';
import { schemaProblems } from '../../harness/config/config-problems.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { envVariable } from '../../specs/env-reference.ts';
import type { ConfigProblem } from '../../specs/faults/config-problem.ts';
import type { ConfiguredLimits, FleetTarget, PermittedWindow, Targets } from '../../specs/generated/types.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/** A target of a targets file, with the defaults of the file. */
export interface ListedTarget extends Pick<FleetTarget, 'id' | 'config' | 'environmentFile' | 'budgetSeconds'> {
  /** Variables of the config, each with the name of the variable that contains its value. */
  environment: Readonly<Record<string, string>>;
  /** Empty: always. */
  windows: readonly PermittedWindow[];
  limits: ConfiguredLimits;
}

/** A targets file. */
export interface TargetList {
  /** Its absolute path. */
  file: string;
  targets: readonly ListedTarget[];
}

/** A config as it was read, and the file to whose directory its paths are relative. */
export interface FoundConfig {
  file: string;
  value: unknown;
}

/** Reads a targets file. Throws {@link HarnessFault}: `config-not-found`, `config-unreadable`, or `config-invalid` with every problem. */
export async function readTargets(path: string): Promise<TargetList> {
  const found = await namedConfig(process.cwd(), path);
  const problems = schemaProblems('targets', found.value);
  if (problems.length === 0) problems.push(...furtherProblems(found.value as Targets));
  if (problems.length > 0) throw new HarnessFault('config-invalid:problems', { source: path, problems });
  const { defaults = {}, targets } = found.value as Targets;
  return {
    file: found.file,
    targets: targets.map(({ environment, windows, limits, ...target }) => ({
      ...(defaults.budgetSeconds !== undefined && { budgetSeconds: defaults.budgetSeconds }),
      ...target,
      environment: Object.fromEntries(
        Object.entries({ ...defaults.environment, ...environment }).map(([name, reference]) => [
          name,
          envVariable(reference) ?? '',
        ]),
      ),
      windows: windows ?? defaults.windows ?? [],
      limits: { ...defaults.limits, ...limits },
    })),
  };
}

/**
 * The config of a target with the limits of the targets file, which override its own. The value is not validated.
 *
 * @throws HarnessFault if its config file cannot be read
 */
export async function configOfTarget({ file }: TargetList, { config, limits }: ListedTarget): Promise<FoundConfig> {
  const found = typeof config === 'string' ? await namedConfig(dirname(file), config) : { file, value: config };
  const { value } = found;
  if (Object.keys(limits).length === 0 || !isJsonObject(value)) return found;
  const { limits: own = {} } = value;
  return isJsonObject(own) ? { file: found.file, value: { ...value, limits: { ...own, ...limits } } } : found;
}

async function namedConfig(directory: string, path: string): Promise<FoundConfig> {
  const found = await readConfigFile(directory, path);
  if (!found) throw new HarnessFault('config-not-found:file', { file: path });
  return found;
}

/** What the schema cannot express. */
function furtherProblems({ defaults, targets }: Targets): ConfigProblem[] {
  const first = new Map<string, number>();
  const repeated = targets.flatMap(({ id }, at): ConfigProblem[] => {
    const before = first.get(id);
    if (before === undefined) first.set(id, at);
    if (before === undefined) return [];
    return [
      { key: `targets.${at}.id`, expected: 'an id that no other target has', received: `that of targets.${before}` },
    ];
  });
  const places = [
    { key: 'defaults', windows: defaults?.windows ?? [] },
    ...targets.map(({ windows = [] }, at) => ({ key: `targets.${at}`, windows })),
  ];
  const windows = places.flatMap(({ key, windows: given }) =>
    given.flatMap((window, at) => windowProblem(window, `${key}.windows.${at}`) ?? []),
  );
  return [...repeated, ...windows];
}

function windowProblem({ from, to, timeZone }: PermittedWindow, key: string): ConfigProblem | undefined {
  if (from === to) {
    return { key: `${key}.to`, expected: 'another time than from, or 00:00 to 24:00 for the whole day', received: to };
  }
  if (timeZone === undefined || isTimeZone(timeZone)) return undefined;
  const received = JSON.stringify(timeZone);
  return { key: `${key}.timeZone`, expected: 'an IANA time zone such as Europe/Berlin', received };
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}
