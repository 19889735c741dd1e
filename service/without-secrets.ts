import type { Workspace } from './workspace.ts';

/** What stands in the place of a secret. */
const left = '[redacted]';
/** Characters; a shorter secret would take ordinary words out. */
const shortestSecret = 4;

/** Characters of a secret that are taken out where a text was cut in the middle of it. */
const tellingPart = 12;
/** Levels that are looked through for putting something else there; whatever is deeper is left out. */
const deepest = 500;

/**
 * A text or a JSON value without the secrets of the inbox, which customers, clients and the other side may repeat in
 * whatever they say. The value itself where none is in it.
 */
export function withoutSecrets<T>(workspace: Workspace, value: T): T {
  const secrets = secretsOf(workspace);
  return holdsOne(value, secrets) ? (clean(value, secrets, deepest) as T) : value;
}

function secretsOf({ keys, crmWebhook, agents, subscriptions }: Workspace): string[] {
  const found: string[] = [];
  const add = (secret: string | undefined) => {
    if (secret !== undefined && secret.length >= shortestSecret) found.push(secret);
  };
  for (const key of keys.keys()) add(key);
  add(crmWebhook?.token);
  for (const { secret } of agents.values()) add(secret);
  for (const { secret } of subscriptions.values()) add(secret);
  return found;
}

/** Looks at every text without recursion: most values hold none, and some are deep. */
function holdsOne(value: unknown, secrets: readonly string[]): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string') {
      if (isTelling(one, secrets)) return true;
    } else if (typeof one === 'object' && one !== null) {
      for (const name in one) {
        if (isTelling(name, secrets)) return true;
        left.push((one as Record<string, unknown>)[name]);
      }
    }
  }
  return false;
}

function isTelling(text: string, secrets: readonly string[]): boolean {
  if (text.length < shortestSecret) return false;
  for (const secret of secrets) {
    const part = Math.min(secret.length, tellingPart);
    if (text.length >= part && text.includes(part === secret.length ? secret : secret.slice(0, part))) return true;
  }
  return false;
}

/** @param isForeign names of members are somebody else's, too */
function clean(value: unknown, secrets: readonly string[], levels: number, isForeign = false): unknown {
  if (typeof value === 'string') return cleanText(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return left;
  if (Array.isArray(value)) return value.map((item) => clean(item, secrets, levels - 1, isForeign));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      isForeign ? cleanText(name, secrets) : name,
      clean(inner, secrets, levels - 1, isForeign || name === 'metadata'),
    ]),
  );
}

function cleanText(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets) {
    shown = shown.replaceAll(secret, left);
    const part = secret.slice(0, tellingPart);
    for (let at = shown.indexOf(part); at >= 0; at = shown.indexOf(part, at + 1)) {
      let end = at + part.length;
      while (end < shown.length && end - at < secret.length && shown[end] === secret[end - at]) end++;
      if (end === shown.length || shown[end] === '…') shown = shown.slice(0, at) + left + shown.slice(end);
    }
  }
  return shown;
}

/** An address as it is shown: without a query or credentials, which may be secrets. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return 'an address that is none';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
