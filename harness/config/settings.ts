import type { Skill, Stimuli, Waiver } from '../../specs/generated/types.ts';
import { addressSecrets } from '../../service/address-secrets.ts';
import type { ClientTraffic } from '../client/api-exchange.ts';
import type { Capture } from '../capture/capture.ts';
import type { ContainerSettings } from '../container/container-settings.ts';
import type { LinkList } from '../client/deep-links.ts';
import type { NamedSecret } from '../../service/redact.ts';

/** A config whose secrets are read and whose addresses are checked. Everything in it can be sent to a worker. */
export interface ResolvedConfig {
  crmWebhook?: { url: string; token: string };
  apiWebhooks?: { url: string; secret: string };
  /** Without `timeoutGiven` nobody said for how long this assistant waits, and `timeoutSeconds` is the default. */
  chat?: { url: string; secret: string; timeoutSeconds: number; timeoutGiven?: true };
  /** A ws: or wss: address without a fragment. */
  phone?: { url: string; secret: string; timeoutSeconds: number; timeoutGiven?: true };
  /** The integrator's own client: a command for the shell, the directory it starts in, seconds after which it is ended. */
  apiClient?: { command: string; timeoutSeconds: number; directory: string };
  /** The links that are judged, and the file that lists them. */
  deepLinks?: LinkList;
  skills: Skill[];
  stimuli: Stimuli;
  observe?: { url: string };
  service: { host: string; port: number; publicUrl?: string; publicUrlCheck?: boolean; apiKey?: string };
  /** What is started for the run. Addresses have {container} until it runs. */
  container?: ContainerSettings;
  /** Where contracts find the endpoint's states, and the broker that hears of their results. */
  pact?: PactSettings;
  /** Suites of the integrator's own: absolute paths or patterns. */
  suites?: string[];
  /** Known failures that do not fail the run until their dates. */
  waivers?: Waiver[];
  /** Secrets that are not one's in the config, and must not be shown all the same: of recorded traffic. */
  otherSecrets?: NamedSecret[];
}

/** For the verification of contracts. */
export interface PactSettings {
  providerStates?: { url: string };
  broker?: { url: string; token?: string; publish: boolean; providerVersion?: string; providerBranch?: string };
}

/** All that a run depends on. */
export interface RunSettings {
  config: ResolvedConfig;
  /** Seeds every generated value; identities of deliveries are new in each run all the same. */
  seed: number;
  /** Generated events per property. */
  runs: number;
  /** Milliseconds to wait for a callback after 202; shorter than `callbackLimitMs`, what did not come stays open. */
  callbackWaitMs: number;
  /** Milliseconds after which a callback is late: the interface's number, but for proving runs. */
  callbackLimitMs: number;
  /** Milliseconds to wait for an answer that has no limit in the interface. */
  patienceMs: number;
  /** Milliseconds in which no second callback or reply may follow, and a tolerated late reply may still come. */
  quietMs: number;
  /** Milliseconds in which a reply that was refused must not come again. */
  retryWatchMs: number;
  /** Milliseconds after which a property sends no further events, so that a slow endpoint does not hold a run up. */
  propertyMs: number;
  /** Milliseconds for making a failing event smaller, per property. */
  shrinkMs: number;
  /** What a client sent that was connected by itself; then none is started. */
  recorded?: ClientTraffic;
  /** Recorded traffic that is judged; then nothing is sent. */
  capture?: Capture;
  /** Requirement or check ids; empty: all. */
  only: string[];
  /** Files of suites of the integrator's own, which run after ours. */
  ownSuites?: string[];
  /** Surfaces that run; absent: all. */
  surfaces?: readonly string[];
  /** Where a recorded counterexample is found again: replays one property from seed and path. */
  path?: string;
}

/** Defaults of {@link RunSettings}, each with its reason. */
export const runDefaults = {
  /** Edge cases come first and need about 20; the rest mixes them. */
  runs: 60,
  thoroughRuns: 1_000,
  /** The interface gives no limit there; a client of this kind waits half a minute at the most. */
  patienceMs: 30_000,
  /** Long enough for a second POST of the same code path, short enough that nobody waits for it. */
  quietMs: 400,
  /** A client that retries pauses a second or two first; a queue, up to half a minute. */
  retryWatchMs: 3_000,
  thoroughRetryWatchMs: 30_000,
  propertyMs: 30_000,
  thoroughPropertyMs: 600_000,
  shrinkMs: 10_000,
} as const;

/** The named secrets of a config, for redaction. */
export function secretsOf(config: ResolvedConfig): NamedSecret[] {
  const { chat, phone, container } = config;
  const named = [
    { name: 'webhook token', value: config.crmWebhook?.token },
    { name: 'webhook secret', value: config.apiWebhooks?.secret },
    { name: 'agent secret', value: chat?.secret },
    // An assistant has one secret for both; two names for it would only confuse.
    { name: 'phone secret', value: phone?.secret === chat?.secret ? undefined : phone?.secret },
    { name: 'API key', value: config.service.apiKey },
    { name: 'broker token', value: config.pact?.broker?.token },
  ].filter((secret): secret is { name: string; value: string } => secret.value !== undefined);
  const isNamed = ({ value }: NamedSecret) => named.some((secret) => secret.value === value);
  const given = (container?.secret ?? [])
    .map((name) => ({ name, value: container?.env[name] ?? '' }))
    .filter((secret) => !isNamed(secret));
  const others = (config.otherSecrets ?? []).filter((secret) => !isNamed(secret));
  const addresses = [config.crmWebhook, config.apiWebhooks, chat, phone, config.observe, config.pact?.providerStates];
  const inAddresses = addresses.flatMap((address) => (address ? addressSecrets(address.url) : []));
  const unnamed = [...given.flatMap(variableSecrets), ...inAddresses].filter((secret) => !isNamed(secret));
  return [...named, ...unnamed, ...others];
}

/** A switch or a small number: hidden, it would take half of every text with it. */
const trivialValue = /^(?:.{0,3}|true|false)$/i;

/** Of such a variable no piece may be seen either. */
const namesSecret = /key|secret|token|passw|pwd|credential/i;

/** Characters; a shorter line of a value may be anything. */
const minLineCharacters = 16;

/**
 * What a variable of the container hides: often an address, a mode or a number, whose pieces are in every other text,
 * so it is hidden as a whole, unless its name says that it is a secret. A password in an address is one like any other, and a log tells a key line by line.
 */
function variableSecrets({ name, value }: NamedSecret): NamedSecret[] {
  if (trivialValue.test(value)) return [];
  const lines = value.split(/\r?\n/).filter((line) => line !== value && line.length >= minLineCharacters);
  const passwords = Array.from(value.matchAll(passwordInAddress), ({ 1: password = '' }) => unescaped(password));
  return [
    ...[value, ...lines].map((whole) => ({
      name,
      value: whole,
      ...(!namesSecret.test(name) && { isWhole: true as const }),
    })),
    ...passwords.map((password) => ({ name, value: password })),
  ];
}

/** Of any scheme and of several hosts, which not every reader of addresses takes. */
const passwordInAddress = /:\/\/[^\s/?#:@]*:([^\s/?#]+)@/g;

function unescaped(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
