import { addressSecrets } from './address-secrets.ts';
import { growingRedactor, type NamedSecret, type Redact } from './redact.ts';
import type { Workspace } from './workspace.ts';
import { isJsonContainer } from '../specs/json-object.ts';

/** Replaces values below the deepest level. */
const tooDeep = '[redacted]';
/** Levels that are searched for redaction; deeper ones are omitted. */
const deepest = 500;

interface Known {
  /** Secrets that were added. None is removed: a replaced one may still be repeated. */
  secrets: Set<string>;
  /** Addresses whose secrets were added. */
  addresses: Set<string>;
  add: (secrets: readonly NamedSecret[]) => Redact;
  redact: Redact;
}

/** Known secrets of each inbox, with their redaction. */
const knownOf = new WeakMap<Workspace, Known>();

/** The redaction of an inbox: of its keys, tokens, secrets and credentials in its addresses, and of `others`. */
export function redactionOf(workspace: Workspace, others: readonly NamedSecret[] = []): Redact {
  const known = knownOf.get(workspace) ?? nothingKnown(workspace);
  knownOf.set(workspace, known);
  const { secrets, addresses, add } = known;
  const newAddresses = addressesOf(workspace).filter((address) => !addresses.has(address));
  const all = [...others, ...secretsOf(workspace), ...newAddresses.flatMap(addressSecrets)];
  const added = all.filter(({ value }) => !secrets.has(value));
  if (added.length > 0) known.redact = add(added);
  for (const { value } of added) secrets.add(value);
  for (const address of newAddresses) addresses.add(address);
  return known.redact;
}

function nothingKnown({ keyPrefix }: Workspace): Known {
  const add = growingRedactor(keyPrefix);
  return { secrets: new Set(), addresses: new Set(), add, redact: add([]) };
}

/**
 * A string or a JSON value without the secrets of the inbox, which customers, clients and the other side may repeat;
 * the value itself if it contains none. Names of fields stay, except for those of `metadata`.
 *
 * @param isForeign the whole value comes from the other side, so weak secrets are redacted, too
 */
export function withoutSecrets<T>(workspace: Workspace, value: T, { isForeign = false } = {}): T {
  const all = redactionOf(workspace);
  const redact = isForeign ? all.foreign : all;
  return hasSecret(value, redact) ? (clean(value, redact, deepest) as T) : value;
}

function secretsOf({ keys, crmWebhook, agents, subscriptions }: Workspace): NamedSecret[] {
  return [
    ...Array.from(keys.keys(), (value) => ({ name: 'API key', value })),
    ...(crmWebhook ? [{ name: 'webhook token', value: crmWebhook.token }] : []),
    ...[...agents.values()].flatMap(({ secret }) =>
      secret === undefined ? [] : [{ name: 'agent secret', value: secret }],
    ),
    ...Array.from(subscriptions.values(), ({ secret }) => ({ name: 'webhook secret', value: secret })),
  ];
}

function addressesOf({ crmWebhook, agents, subscriptions }: Workspace): string[] {
  return [
    ...(crmWebhook ? [crmWebhook.url] : []),
    ...[...agents.values()].flatMap(({ chatUrl, voiceUrl }) => [chatUrl, voiceUrl]),
    ...Array.from(subscriptions.values(), ({ url }) => url),
  ];
}

/** Checks every string without recursion: most values contain no secret, and some are deep. */
function hasSecret(value: unknown, { find }: Redact): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string') {
      if (find(one).length > 0) return true;
    } else if (isJsonContainer(one)) {
      for (const [name, inner] of Object.entries(one)) {
        if (find(name).length > 0) return true;
        left.push(inner);
      }
    }
  }
  return false;
}

/** @param isForeign the names of the fields come from the other side, too */
function clean(value: unknown, redact: Redact, levels: number, isForeign = false): unknown {
  if (typeof value === 'string') return redact(value);
  if (!isJsonContainer(value)) return value;
  if (levels === 0) return tooDeep;
  if (Array.isArray(value)) return value.map((item) => clean(item, redact, levels - 1, isForeign));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      isForeign ? redact(name) : name,
      clean(inner, redact, levels - 1, isForeign || name === 'metadata'),
    ]),
  );
}

/** An address for display: without a query or credentials, which may be secrets. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return 'an invalid address';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
