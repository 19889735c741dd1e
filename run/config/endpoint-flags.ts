import { HarnessFault } from '../../harness/checks/faults.ts';
import { surfaceKeys } from '../../harness/config/resolve-config.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { TargetOptions } from './read-target.ts';
import { UsageError } from '../usage-error.ts';

/** The flags of one endpoint: an address, and the environment variable with its secret or token. */
export interface EndpointFlags {
  url?: string | undefined;
  /** `env:NAME`. */
  credential?: string | undefined;
}

/** The flags of each surface for commands that accept several endpoints. */
export const endpointFlags = {
  'crm-webhook': { url: 'crmUrl', credential: 'crmToken', urlFlag: '--crm-url', credentialFlag: '--crm-token' },
  'api-webhooks': {
    url: 'hooksUrl',
    credential: 'hooksSecret',
    urlFlag: '--hooks-url',
    credentialFlag: '--hooks-secret',
  },
  'own-ai-chat': { url: 'chatUrl', credential: 'chatSecret', urlFlag: '--chat-url', credentialFlag: '--chat-secret' },
  'own-ai-phone': {
    url: 'phoneUrl',
    credential: 'phoneSecret',
    urlFlag: '--phone-url',
    credentialFlag: '--phone-secret',
  },
} as const satisfies Record<
  DiagnosedSurface,
  { url: keyof TargetOptions; credential: keyof TargetOptions; urlFlag: string; credentialFlag: string }
>;

/** The credential flag of commands for one surface. */
export function credentialFlag(surface: DiagnosedSurface): '--token' | '--secret' {
  return surface === 'crm-webhook' ? '--token' : '--secret';
}

/** Throws {@link UsageError} for a credential that is not a reference to the environment. Never shows its value. */
export function assertReference(reference: string, flag: string): void {
  if (/^env:[A-Za-z_][A-Za-z0-9_]*$/.test(reference)) return;
  throw new UsageError(
    `${flag}: expected env:NAME, the environment variable that holds it. Others can see a secret on the command line.`,
  );
}

/**
 * Reduces a raw config to these endpoints, so that the secrets of others are not needed, and applies the `flags`. Returns
 * a value that is not a config unchanged; validation refuses it.
 */
export function onlyEndpoints(
  value: unknown,
  surfaces: readonly DiagnosedSurface[],
  flags: EndpointFlags = {},
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const config: Record<string, unknown> = { ...value };
  for (const surface of Object.keys(endpointFlags) as DiagnosedSurface[]) {
    const { [surface]: key } = surfaceKeys;
    if (!surfaces.includes(surface)) Reflect.deleteProperty(config, key);
    else if (flags.url !== undefined || flags.credential !== undefined) {
      const { [key]: given } = config;
      const endpoint = typeof given === 'object' && given !== null ? given : {};
      const field = credentialField(surface);
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
    if (!(error instanceof UsageError) && !(error instanceof HarnessFault)) throw error;
    const { [surface]: key } = surfaceKeys;
    const given = [
      ...(flags.url === undefined ? [] : [['url', '--url'] as const]),
      ...(flags.credential === undefined ? [] : [[credentialField(surface), credentialFlag(surface)] as const]),
    ];
    for (const [field, flag] of given) {
      // `SOURCE: chat.url is …`, or below `SOURCE cannot be used:` as the only line.
      const [, rest] = new RegExp(String.raw`^.+?:\s+${key}\.${field}(\b.*)$`).exec(error.message) ?? [];
      if (rest !== undefined) throw new UsageError(flag + rest, { cause: error });
    }
    throw error;
  }
}

function credentialField(surface: DiagnosedSurface): 'token' | 'secret' {
  return surface === 'crm-webhook' ? 'token' : 'secret';
}

/** Whether part of a recorded string was redacted, so that it is no longer a usable address or name. */
export function isRedacted(text: string): boolean {
  return text.includes('[redacted: ');
}
