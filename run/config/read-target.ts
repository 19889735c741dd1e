import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { readConfigFile } from '../../harness/config/config-file.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { isRequirementId } from '../../specs/requirements/catalogue.ts';
import { configViolations } from './describe-config.ts';
import { UsageError } from '../usage-error.ts';

/** The flags that select the target. */
export interface TargetOptions {
  config?: string;
  crmUrl?: string;
  crmToken?: string;
  hooksUrl?: string;
  hooksSecret?: string;
  chatUrl?: string;
  chatSecret?: string;
  phoneUrl?: string;
  phoneSecret?: string;
  /** An image to start for the run; overrides `container.image`. */
  image?: string;
  /** The integrator's suites in addition to those of `suites`; `false` skips all of them. */
  suites?: string[] | false;
}

/** The endpoints to check, and how they were selected. */
export interface Target {
  config: ResolvedConfig;
  /** The flags that select it again. */
  flags: string[];
  /** Relative to the working directory, with slashes; absent for flags and for a file outside of it. */
  configFile?: string;
  /** The references of the secrets, by config key: `chat.secret` to `env:AGENT_SECRET`. Never the secrets. */
  references: Readonly<Record<string, string>>;
}

const pairs = [
  {
    surface: 'crmWebhook',
    url: 'crmUrl',
    secret: 'crmToken',
    field: 'token',
    urlFlag: '--crm-url',
    secretFlag: '--crm-token',
  },
  {
    surface: 'apiWebhooks',
    url: 'hooksUrl',
    secret: 'hooksSecret',
    field: 'secret',
    urlFlag: '--hooks-url',
    secretFlag: '--hooks-secret',
  },
  {
    surface: 'chat',
    url: 'chatUrl',
    secret: 'chatSecret',
    field: 'secret',
    urlFlag: '--chat-url',
    secretFlag: '--chat-secret',
  },
  {
    surface: 'phone',
    url: 'phoneUrl',
    secret: 'phoneSecret',
    field: 'secret',
    urlFlag: '--phone-url',
    secretFlag: '--phone-secret',
  },
] as const;

const noTarget = `There is no config file in this directory or above, and no flag gives an endpoint. To see a complete run first:
  npx svc-conform demo
To check one endpoint, with its secret in the environment:
  npx svc-conform check --crm-url http://127.0.0.1:8080/crm --crm-token env:CRM_TOKEN
Or write svc-conform.config.json:
  { "crmWebhook": { "url": "http://127.0.0.1:8080/crm", "token": "env:CRM_TOKEN" } }`;

/**
 * Reads the target from flags, or from the given or nearest config file. Throws usage errors and faults.
 *
 * @param edit changes the raw config before its secrets are read
 */
export async function readTarget(
  options: TargetOptions,
  environment: NodeJS.ProcessEnv,
  edit: (value: unknown) => unknown = (value) => value,
): Promise<Target> {
  const fromFlags = configFromFlags(options);
  const { image, suites } = options;
  const moreFlags = [...(image === undefined ? [] : ['--image', image]), ...suiteFlags(suites)];
  const withFlags = (value: unknown) => withSuites(withImage(edit(value), image), suites);
  if (fromFlags) {
    const config = configOf(withFlags(fromFlags.value), environment, 'The command line');
    return { config, flags: [...fromFlags.flags, ...moreFlags], references: referencesOf(fromFlags.value) };
  }
  const found = await configFile(options.config);
  if (!found) throw new UsageError(noTarget);
  const place = relative(process.cwd(), found.file);
  const source = options.config ?? place;
  const config = configOf(withFlags(found.value), environment, source, dirname(found.file));
  return {
    config: suites === false ? withoutSuites(config) : config,
    flags: [...(options.config === undefined ? [] : ['--config', options.config]), ...moreFlags],
    references: referencesOf(found.value),
    ...(!place.startsWith('..') && !isAbsolute(place) && { configFile: place.replaceAll(sep, '/') }),
  };
}

/** The target of a config value. Throws usage errors and faults that mention `source`. */
export function givenTarget(value: unknown, environment: NodeJS.ProcessEnv, source: string): Target {
  return { config: configOf(value, environment, source), flags: [], references: referencesOf(value) };
}

/** The references of a valid config, in which each of these keys has a reference if it is present. */
function referencesOf(value: unknown): Record<string, string> {
  const sections = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(
    sections.flatMap(([section, part]) =>
      Object.entries(typeof part === 'object' && part !== null ? part : {})
        .filter(([key, text]) => /^(?:token|secret|apiKey)$/.test(key) && typeof text === 'string')
        .map(([key, text]): [string, string] => [`${section}.${key}`, text as string]),
    ),
  );
}

/** Sets the image. Returns a value that is not a config unchanged; validation refuses it. */
function withImage(value: unknown, image: string | undefined): unknown {
  if (image === undefined || typeof value !== 'object' || value === null) return value;
  const { container } = value as { container?: unknown };
  if (container !== undefined && (typeof container !== 'object' || container === null)) return value;
  return { ...value, container: { ...container, image } };
}

/** Adds suites. Patterns of a flag are relative to the working directory, those of a config to its directory. */
function withSuites(value: unknown, patterns: readonly string[] | false | undefined): unknown {
  if (patterns === undefined || patterns === false || typeof value !== 'object' || value === null) return value;
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

function configOf(value: unknown, environment: NodeJS.ProcessEnv, source: string, directory?: string): ResolvedConfig {
  const violations = configViolations(value);
  if (violations.length > 0) throw new UsageError([`${source} cannot be used:`, ...violations].join('\n'));
  return resolveConfig(value, environment, source, directory);
}

function configFromFlags(options: TargetOptions): { value: Record<string, unknown>; flags: string[] } | undefined {
  const value: Record<string, unknown> = {};
  const flags: string[] = [];
  for (const { surface, url, secret, field, urlFlag, secretFlag } of pairs) {
    const address = options[url];
    const reference = options[secret];
    if (address === undefined && reference === undefined) continue;
    if (address === undefined) throw new UsageError(`${secretFlag} needs ${urlFlag} with the endpoint's address.`);
    if (reference === undefined) throw new UsageError(`${urlFlag} needs ${secretFlag} env:NAME.`);
    if (!/^env:[A-Za-z_][A-Za-z0-9_]*$/.test(reference)) {
      throw new UsageError(
        `${secretFlag}: expected env:NAME, the environment variable that holds it. Others can see a secret on the command line.`,
      );
    }
    value[surface] = { url: address, [field]: reference };
    flags.push(urlFlag, address, secretFlag, reference);
  }
  if (flags.length === 0) return undefined;
  if (options.config !== undefined)
    throw new UsageError('Select the endpoint with --config or with flags, not with both.');
  return { value, flags };
}

/** Reads the config file; removes the excerpts of the file from the parser's messages, which may contain secrets. */
async function configFile(path: string | undefined) {
  try {
    return await readConfigFile(process.cwd(), path);
  } catch (error) {
    if (!(error instanceof HarnessFault) || error.code !== 'config-unreadable') throw error;
    const [first = ''] = error.message.split('\n', 1);
    throw new UsageError(first.replace(/, (\.\.\.)?".*$/, ' where it should not be').replace(/:$/, ''), {
      cause: error,
    });
  }
}
