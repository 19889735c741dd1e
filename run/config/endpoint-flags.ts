import { HarnessFault } from '../../harness/checks/faults.ts';
import { surfaceKeys } from '../../harness/config/resolve-config.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { TargetOptions } from './read-target.ts';
import { UsageError } from '../usage-error.ts';

/** An address, and the environment variable that holds its secret or token, as flags give them. */
export interface EndpointFlags {
  url?: string | undefined;
  /** `env:NAME`. */
  credential?: string | undefined;
}

/** How each surface's endpoint is named where several can be. */
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

/** The flag of a command for one surface, under which its credential is given. */
export function credentialFlag(surface: DiagnosedSurface): '--token' | '--secret' {
  return surface === 'crm-webhook' ? '--token' : '--secret';
}

/** Throws {@link UsageError} for a credential that is not a reference to the environment. Never tells what it is. */
export function assertReference(reference: string, flag: string): void {
  if (/^env:[A-Za-z_][A-Za-z0-9_]*$/.test(reference)) return;
  throw new UsageError(
    `${flag}: expected env:NAME, the environment variable that holds it. A secret in a command line can be seen by others.`,
  );
}

/**
 * A config, as it is written, with these endpoints alone, so that secrets of others need not be there; the one of
 * `flags` in place of what stands there. What is not a config stays as it is, and is refused as such.
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
 * Reads a target in which these flags are. What is wrong with what they give is told under their names, and not under
 * the keys of a config that nobody has written.
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

/** Whether something was taken out of a text that a report holds: then it is not an address or name any more. */
export function isRedacted(text: string): boolean {
  return text.includes('[redacted: ');
}
