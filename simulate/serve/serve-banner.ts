import { visibleControls } from '../../reports/text/visible-controls.ts';
import type { Paint } from '../../reports/write/terminal/terminal-paint.ts';
import type { ServiceSecrets } from '../service-secrets.ts';
import { shellCommand } from '../../run/plan/shell-command.ts';

/** The data that a program needs to use the service: the first line of `serve --json`. */
export interface ServiceAccess extends ServiceSecrets {
  baseUrl: string;
  controlUrl: string;
  /** The page of the service, for a browser on this machine. */
  pageUrl: string;
}

/**
 * Renders the banner of `serve`. The only place that prints generated secrets, which the user needs; secrets of the config
 * are shown as references to their variables.
 */
export function serveBanner(
  access: ServiceAccess,
  {
    endpoints,
    script,
    record,
    paint,
  }: { endpoints: readonly string[]; script?: string; record?: string; paint: Paint },
): string {
  const { baseUrl, controlUrl, pageUrl, apiKey, agentSecret, webhookToken, webhookSecret } = access;
  const row = (name: string, value: string, more = '') =>
    `  ${name.padEnd(15)} ${visibleControls(value)}${more === '' ? '' : `  ${paint.dim(more)}`}`;
  const post = (step: string, body: object) =>
    shellCommand(['curl', '-sX', 'POST', `${controlUrl}/${step}`, '-d', JSON.stringify(body)]);
  return [
    `${paint.bold('The simulated service is running.')} Ctrl-C stops it and discards its data.`,
    '',
    row('page', pageUrl, 'conversations, calls, deliveries and buttons'),
    row('API', `${baseUrl}/v1`, `reference ${baseUrl}/v1/docs`),
    row('API key', apiKey, 'X-Api-Key, or Authorization: Bearer'),
    row('control API', controlUrl, 'GET lists its steps'),
    row('agent secret', agentSecret, 'signs chat events and calls'),
    row('webhook token', webhookToken, 'bearer token of CRM events'),
    row('webhook secret', webhookSecret, 'signs appointment events'),
    '',
    ...(endpoints.length > 0
      ? endpoints.map((endpoint, at) => row(at === 0 ? 'sends to' : '', endpoint))
      : [row('sends to', 'nothing yet', 'give --config, or POST {control}/connect')]),
    ...(script === undefined ? [] : [row('scenario', script)]),
    ...(record === undefined ? [] : [row('records to', record, 'the report is written when it stops')]),
    '',
    row('a customer', post('customer-writes', { text: 'Hello' })),
    row('time', post('time-passes', { hours: 24 })),
    '',
    'Traffic:',
    '',
  ].join('\n');
}
