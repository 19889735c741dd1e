import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { readConfigFile } from '../../harness/config/config-file.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { assertPrivateHosts } from '../../harness/config/allowed-http.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { isRequirementId } from '../../specs/requirements/catalogue.ts';
import { assertReference } from './endpoint-flags.ts';
import { pathInRepository, workflowFile } from './path-in-repository.ts';
import { configOfTarget, readTargets, type FoundConfig } from './read-targets.ts';
import { suggestion } from '../../specs/nearest.ts';
import { isJsonContainer } from '../../specs/json-object.ts';
import type { Config } from '../../specs/generated/types.ts';
import { configKeyOf, endpointSurfaces, surfaceTable } from '../../specs/surfaces.ts';
import { endpointFlags, type EndpointOptions } from '../../specs/endpoint-flags.ts';

/** The flags that select the target. */
export interface TargetOptions extends EndpointOptions {
  config?: string;
  /** The id of a target, if `config` is a targets file. */
  target?: string;
  /** Overrides `brand` of the config. */
  brand?: string;
  /** An image to start for the run; overrides `container.image`. */
  image?: string;
  /** A command that starts the endpoint for the run; overrides `start.command`. */
  start?: string;
  /** The phone number of a known contact; overrides `stimuli.knownCaller`. */
  knownCaller?: string;
  /** Private hosts to which http: and ws: are allowed, in addition to those of `allowHttp`. */
  allowHttp?: string[];
  /** A command that forwards a public address to the service; overrides `service.tunnel`. */
  tunnel?: string;
  /** The integrator's suites in addition to those of `suites`; `false` skips all of them. */
  suites?: string[] | false;
}

/** The endpoints to check, and how they were selected. */
export interface RunTarget {
  config: ResolvedConfig;
  /** The valid config that it was read from, flags included: it has references in place of secrets. */
  value: Config;
  /** The flags that select it again. */
  flags: string[];
  /** Relative to the working directory, with slashes; absent for flags and for a file outside of it. */
  configFile?: string;
  /** The config file from the root of its repository, with slashes; the workflow file for flags in GitHub Actions. */
  configInRepository?: string;
  /** The references of the secrets, by config key: `chat.secret` to `env:AGENT_SECRET`. Never the secrets. */
  references: Readonly<Record<string, string>>;
}

/**
 * Reads the target from flags, or from the given or nearest config file. Throws usage errors and faults.
 *
 * @param edit changes the raw config before its secrets are read
 */
export async function readTarget(
  options: TargetOptions,
  environment: NodeJS.ProcessEnv,
  edit: (value: unknown) => unknown = (value) => value,
): Promise<RunTarget> {
  const fromFlags = configFromFlags(options);
  const { brand, image, start, knownCaller, tunnel, suites, target, allowHttp = [] } = options;
  if (target !== undefined && options.config === undefined) throw new HarnessFault('flag-missing:target');
  if (start !== undefined && image !== undefined) throw new HarnessFault('flags-conflict:start');
  if (start?.trim() === '') {
    throw new HarnessFault('value-invalid:flag', { flag: '--start', expected: 'a command', received: 'none' });
  }
  const moreFlags = [
    ...(brand === undefined ? [] : ['--brand', brand]),
    ...(image === undefined ? [] : ['--image', image]),
    ...(start === undefined ? [] : ['--start', start]),
    ...(knownCaller === undefined ? [] : ['--known-caller', knownCaller]),
    ...(tunnel === undefined ? [] : ['--tunnel', tunnel]),
    ...allowHttp.flatMap((host) => ['--allow-http', host]),
    ...suiteFlags(suites),
  ];
  const withFlags = (value: unknown) => {
    const started = withStart(withImage(withBrand(edit(value), brand), image), start);
    return withReturnPath(withSuites(withKnownCaller(started, knownCaller), suites), { allowHttp, tunnel });
  };
  if (fromFlags) {
    const value = withFlags(fromFlags.value);
    const config = resolveConfig(value, environment, 'The command line');
    await assertPrivateHosts(config);
    const workflow = workflowFile(environment);
    return {
      config,
      value: value as Config,
      flags: [...fromFlags.flags, ...moreFlags],
      ...(workflow !== undefined && { configInRepository: workflow }),
      references: referencesOf(fromFlags.value),
    };
  }
  const found =
    target !== undefined && options.config !== undefined
      ? await targetConfig(options.config, target)
      : await readConfigFile(process.cwd(), options.config);
  if (!found) throw new HarnessFault('config-not-found:no-target');
  const place = relative(process.cwd(), found.file);
  const inRepository = pathInRepository(found.file, environment);
  const source = target === undefined ? (options.config ?? place) : `${place} (target ${target})`;
  const value = withFlags(found.value);
  const config = resolveConfig(value, environment, source, dirname(found.file));
  await assertPrivateHosts(config);
  return {
    config: suites === false ? withoutSuites(config) : config,
    value: value as Config,
    flags: [
      ...(options.config === undefined ? [] : ['--config', options.config]),
      ...(target === undefined ? [] : ['--target', target]),
      ...moreFlags,
    ],
    references: referencesOf(found.value),
    ...(!place.startsWith('..') && !isAbsolute(place) && { configFile: place.replaceAll(sep, '/') }),
    ...(inRepository !== undefined && { configInRepository: inRepository }),
  };
}

/** The target of a config value. Throws usage errors and faults that mention `source`. */
export async function givenTarget(value: unknown, environment: NodeJS.ProcessEnv, source: string): Promise<RunTarget> {
  const config = resolveConfig(value, environment, source);
  await assertPrivateHosts(config);
  return { config, value: value as Config, flags: [], references: referencesOf(value) };
}

/** The references of a valid config, in which each of these keys has a reference if it is present. */
function referencesOf(value: unknown): Record<string, string> {
  const sections = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(
    sections.flatMap(([section, part]) =>
      Object.entries(isJsonContainer(part) ? part : {})
        .filter(([key, text]) => /^(?:token|secret|apiKey)$/.test(key) && typeof text === 'string')
        .map(([key, text]): [string, string] => [`${section}.${key}`, text as string]),
    ),
  );
}

/** Sets the brand. Returns a value that is not a config unchanged; validation refuses it. */
function withBrand(value: unknown, brand: string | undefined): unknown {
  return brand === undefined || !isJsonContainer(value) ? value : { ...value, brand };
}

/** Sets the known caller. Returns a value that is not a config unchanged; validation refuses it. */
function withKnownCaller(value: unknown, knownCaller: string | undefined): unknown {
  if (knownCaller === undefined || !isJsonContainer(value)) return value;
  const { stimuli } = value as { stimuli?: unknown };
  if (stimuli !== undefined && !isJsonContainer(stimuli)) return value;
  return { ...value, stimuli: { ...stimuli, knownCaller } };
}

/** Sets the image. Returns a value that is not a config unchanged; validation refuses it. */
function withImage(value: unknown, image: string | undefined): unknown {
  if (image === undefined || !isJsonContainer(value)) return value;
  const { container } = value as { container?: unknown };
  if (container !== undefined && !isJsonContainer(container)) return value;
  return { ...value, container: { ...container, image } };
}

/**
 * Sets the command, which runs in the working directory unless the config has another. Returns a value that is not a
 * config unchanged; validation refuses it.
 */
function withStart(value: unknown, command: string | undefined): unknown {
  if (command === undefined || !isJsonContainer(value)) return value;
  const { start } = value as { start?: unknown };
  if (start !== undefined && !isJsonContainer(start)) return value;
  return { ...value, start: { cwd: process.cwd(), ...start, command } };
}

/** Adds private hosts, and sets the tunnel. Returns a value that is not a config unchanged; validation refuses it. */
function withReturnPath(
  value: unknown,
  { allowHttp: hosts, tunnel }: { allowHttp: readonly string[]; tunnel: string | undefined },
): unknown {
  if (!isJsonContainer(value) || (hosts.length === 0 && tunnel === undefined)) return value;
  const { allowHttp = [], service = {}, ...rest } = value as { allowHttp?: unknown; service?: unknown };
  if (!Array.isArray(allowHttp) || !isJsonContainer(service)) return value;
  return {
    ...value,
    ...rest,
    ...(hosts.length > 0 && { allowHttp: [...(allowHttp as unknown[]), ...hosts] }),
    ...(tunnel !== undefined && { service: { ...service, tunnel } }),
  };
}

/** Adds suites. Patterns of a flag are relative to the working directory, those of a config to its directory. */
function withSuites(value: unknown, patterns: readonly string[] | false | undefined): unknown {
  if (patterns === undefined || patterns === false || !isJsonContainer(value)) return value;
  const { suites, ...rest } = value as { suites?: unknown };
  if (suites !== undefined && !Array.isArray(suites)) return value;
  const named = (suites ?? []) as unknown[];
  return { ...rest, suites: [...named, ...patterns.map((pattern) => resolve(pattern))] };
}

/** Removes the suites and the waivers of their requirements, which are then not judged. */
function withoutSuites({ suites: _, waivers = [], ...config }: ResolvedConfig): ResolvedConfig {
  const ours = waivers.filter(({ requirement }) => isRequirementId(requirement));
  return { ...config, ...(ours.length > 0 && { waivers: ours }) };
}

function suiteFlags(patterns: readonly string[] | false | undefined): string[] {
  if (patterns === false) return ['--no-suites'];
  return (patterns ?? []).flatMap((pattern) => ['--suites', pattern]);
}

function configFromFlags(options: TargetOptions): { value: Record<string, unknown>; flags: string[] } | undefined {
  const value: Record<string, unknown> = {};
  const flags: string[] = [];
  for (const surface of endpointSurfaces) {
    const { url, credential, urlFlag, credentialFlag } = endpointFlags[surface];
    const address = options[url];
    const reference = options[credential];
    if (address === undefined && reference === undefined) continue;
    if (address === undefined)
      throw new HarnessFault('flag-missing:address', { flag: credentialFlag, needed: urlFlag });
    if (reference === undefined) {
      throw new HarnessFault('flag-missing:credential', { flag: urlFlag, needed: credentialFlag });
    }
    assertReference(reference, credentialFlag);
    value[configKeyOf(surface)] = { url: address, [surfaceTable[surface].endpoint.credential]: reference };
    flags.push(urlFlag, address, credentialFlag, reference);
  }
  if (flags.length === 0) return undefined;
  if (options.config !== undefined) throw new HarnessFault('flags-conflict:target');
  return { value, flags };
}

/** The config of one target of a targets file. */
async function targetConfig(file: string, id: string): Promise<FoundConfig> {
  const list = await readTargets(file);
  const found = list.targets.find((one) => one.id === id);
  if (found) return await configOfTarget(list, found);
  throw new HarnessFault('name-unknown:target', {
    id,
    file,
    near: suggestion(
      id,
      list.targets.map((one) => one.id),
    ),
  });
}
