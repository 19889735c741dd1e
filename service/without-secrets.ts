import type { Workspace } from './workspace.ts';

/** What stands in the place of a secret. */
const left = '[redacted]';
/** Characters; a shorter secret would take ordinary words out. */
const shortestSecret = 4;

/** A text of the other side without the secrets of the inbox, which it may send back in whatever it says. */
export function withoutSecrets({ keys, crmWebhook, agents, subscriptions }: Workspace, text: string): string {
  const secrets = [
    ...keys.keys(),
    crmWebhook?.token,
    ...[...agents.values(), ...subscriptions.values()].map(({ secret }) => secret),
  ];
  let shown = text;
  for (const secret of secrets) {
    if (secret !== undefined && secret.length >= shortestSecret) shown = shown.replaceAll(secret, left);
  }
  return shown;
}

/** An address as it is shown: without a query or credentials, which may be secrets. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return 'an address that is none';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
