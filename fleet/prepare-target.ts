import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { HarnessFault } from '../harness/checks/faults.ts';
import { resolveConfig } from '../harness/config/resolve-config.ts';
import { runDefaults, type ResolvedConfig } from '../harness/config/settings.ts';
import { configOfTarget, type ListedTarget, type TargetList } from '../run/config/read-targets.ts';
import { envVariable, isEnvReference } from '../specs/env-reference.ts';
import { describeFileError } from '../specs/faults/describe-file-error.ts';
import { limits } from '../specs/limits.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the check of a target needs. */
export interface PreparedTarget {
  id: string;
  config: ResolvedConfig;
  /** The whole environment of the check: no secret of another target. */
  environment: Readonly<Record<string, string>>;
  budgetSeconds: number | undefined;
}

/**
 * Variables that every check inherits: they describe the machine and the network, and are not secrets of a target. Those
 * of CI systems are omitted, because each check would write to the summary of the job.
 */
const inherited =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|TZ|LANG|LC_\w+|NODE_(?:OPTIONS|EXTRA_CA_CERTS|USE_SYSTEM_CA|TLS_REJECT_UNAUTHORIZED)|(?:https?|no|all)_proxy|DOCKER_(?:HOST|CONTEXT|CONFIG|CERT_PATH|TLS_VERIFY|API_VERSION|DEFAULT_PLATFORM)|XDG_RUNTIME_DIR|SSL_CERT_(?:FILE|DIR)|TESTCONTAINERS_\w+|SYSTEMROOT|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|PROGRAMDATA|USERPROFILE)$/i;

/** Milliseconds for starting, the diagnosis and writing the report. */
const aroundMs = 120_000;
/** A check extends its budget while it waits for a processor, at most to twice the time. */
const budgetFactor = 2;

/** Milliseconds after which a check of a target is ended: no check needs as much. */
export function timeLimitMs({ budgetSeconds }: { budgetSeconds?: number | undefined }): number {
  const budgetMs = budgetSeconds === undefined ? runDefaults.answeringBudgetMs : budgetSeconds * 1000;
  return budgetMs * budgetFactor + limits.crmCallbackWithinMs + aroundMs;
}

/**
 * Reads the config and the secrets of a target.
 *
 * @param environment the variables of this process
 * @throws HarnessFault (exit code 2) if they cannot be used
 */
export async function prepareTarget(
  list: TargetList,
  target: ListedTarget,
  environment: Environment,
): Promise<PreparedTarget> {
  const { id, budgetSeconds } = target;
  const { file, value } = await configOfTarget(list, target);
  const secrets = await secretsOf(list, target, value, environment);
  const own = Object.entries(environment).filter(([name]) => inherited.test(name));
  const passed = { ...(Object.fromEntries(own) as Record<string, string>), ...secrets };
  const source = `${relative(process.cwd(), file)} (target ${id})`;
  return { id, config: resolveConfig(value, passed, source, dirname(file)), environment: passed, budgetSeconds };
}

/**
 * The variables to which the config refers, from the file and the references of the target only: the environment of the
 * command has the secrets of other targets, and one of them may have the same name.
 */
async function secretsOf(
  { file }: TargetList,
  { id, environmentFile, environment: own }: ListedTarget,
  config: unknown,
  environment: Environment,
): Promise<Record<string, string>> {
  const inFile = environmentFile === undefined ? {} : await readVariables(resolve(dirname(file), environmentFile));
  return Object.fromEntries(
    [...referencesIn(config)].flatMap((name) => {
      const { [name]: source } = own;
      const value = source === undefined ? inFile[name] : environment[source];
      if (source !== undefined && !value) {
        const given = { source: `${relative(process.cwd(), file)} (target ${id})`, key: `environment.${name}` };
        throw new HarnessFault('secret-missing:variable', {
          ...given,
          reference: `env:${source}`,
          isEmpty: value === '',
        });
      }
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function readVariables(file: string): Promise<NodeJS.Dict<string>> {
  try {
    return parseEnv(await readFile(file, 'utf8'));
  } catch (error) {
    const reason = describeFileError(error);
    throw new HarnessFault(
      'file-unreadable:expected',
      { file, expected: 'lines NAME=value', reason },
      { cause: error },
    );
  }
}

/** The variables to which a config refers, wherever it does. */
function referencesIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string' && isEnvReference(value)) found.add(envVariable(value) ?? '');
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) referencesIn(part, found);
  return found;
}
