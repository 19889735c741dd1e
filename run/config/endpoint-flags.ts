import { HarnessFault, type FaultData } from '../../harness/checks/faults.ts';
import { isEnvReference } from '../../specs/env-reference.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import { isJsonObject, isJsonContainer } from '../../specs/json-object.ts';
import { configKeyOf, endpointSurfaces, surfaceTable } from '../../specs/surfaces.ts';

/** The flags of one endpoint: an address, and the environment variable with its secret or token. */
export interface EndpointFlags {
  url?: string | undefined;
  /** `env:NAME`. */
  credential?: string | undefined;
}

/** The credential flag of commands for one surface. */
export function credentialFlag(surface: DiagnosedSurface): '--token' | '--secret' {
  return `--${surfaceTable[surface].endpoint.credential}`;
}

/** Throws {@link HarnessFault} for a credential that is not a reference to the environment. Never shows its value. */
export function assertReference(reference: string, flag: string): void {
  if (isEnvReference(reference)) return;
  throw new HarnessFault('secret-exposed:credential', { flag });
}

/**
 * Reduces a raw config to these endpoints, so that the secrets of others are not needed, and applies the `flags`. Returns
 * a value that is not a config unchanged; validation refuses it.
 */
export function selectEndpoints(
  value: unknown,
  surfaces: readonly DiagnosedSurface[],
  flags: EndpointFlags = {},
): unknown {
  if (!isJsonObject(value)) return value;
  const config: Record<string, unknown> = { ...value };
  for (const surface of endpointSurfaces) {
    const key = configKeyOf(surface);
    if (!surfaces.includes(surface)) Reflect.deleteProperty(config, key);
    else if (flags.url !== undefined || flags.credential !== undefined) {
      const { [key]: given } = config;
      const endpoint = isJsonContainer(given) ? given : {};
      const field = surfaceTable[surface].endpoint.credential;
      config[key] = {
        ...endpoint,
        ...(flags.url !== undefined && { url: flags.url }),
        ...(flags.credential !== undefined && { [field]: flags.credential }),
      };
    }
  }
  return config;
}

/**
 * Reads a target that includes these flags. Reports invalid values under the names of the flags, not under keys of a
 * config that the user did not write.
 */
export async function reportFlagErrors<Result>(
  surface: DiagnosedSurface,
  flags: EndpointFlags,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof HarnessFault)) throw error;
    const key = configKeyOf(surface);
    const given: Readonly<Record<string, string>> = {
      ...(flags.url !== undefined && { [`${key}.url`]: '--url' }),
      ...(flags.credential !== undefined && {
        [`${key}.${surfaceTable[surface].endpoint.credential}`]: credentialFlag(surface),
      }),
    };
    const data = dataOfFlag(error.data, given);
    throw data ? HarnessFault.from(data, { cause: error }) : error;
  }
}

/** The fault with a flag in place of the only key that it names; `undefined` when no flag gave that key. */
function dataOfFlag(data: FaultData, flags: Readonly<Record<string, string>>): FaultData | undefined {
  if (data.name === 'config-invalid:problems') {
    const [problem, ...others] = data.args.problems;
    const { [problem?.key ?? '']: flag } = flags;
    if (!problem || flag === undefined || others.length > 0) return undefined;
    return { name: data.name, args: { problems: [{ ...problem, key: flag }] } };
  }
  if (data.name === 'secret-missing:variable') {
    const { [data.args.key]: flag } = flags;
    return flag === undefined ? undefined : { name: data.name, args: { ...data.args, source: undefined, key: flag } };
  }
  if (data.name === 'address-not-allowed:scheme') {
    const { [data.args.key]: flag } = flags;
    return flag === undefined ? undefined : { name: data.name, args: { ...data.args, source: undefined, key: flag } };
  }
  return undefined;
}

/** Whether part of a recorded string was redacted, so that it is no longer a usable address or name. */
export function isRedacted(text: string): boolean {
  return text.includes('[redacted: ');
}
