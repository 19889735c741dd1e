import type { Exchange } from '../../specs/generated/types.ts';
import { visibleControls } from './visible-controls.ts';

/** Longer bodies are not offered as a command. */
const mostCharacters = 8000;

/** Headers that curl sets itself. */
const ownHeaders: readonly string[] = ['host', 'connection', 'content-length', 'transfer-encoding'];

/** A redacted value; the text after the colon names it. */
const redacted = /\[redacted(?:: ([^\]]*))?\]/g;

/** A header that signs the time and the body; its value is not a secret, but it expires. */
const signature = /^t=\d+,v1=[0-9a-f]{64}$/;

/** Header values that a shell passes on unchanged; longer ones are cut in the record, with an ellipsis. */
const plain = /^[\t\x20-\x7e]*$/;

/**
 * The request as commands for a POSIX shell with curl and openssl: secrets are variables, SECRET for the signature, and a
 * signed request is signed afresh. `undefined` where that would be another request than was sent: one with a forged
 * credential, a shortened or redacted body, or one with control characters.
 */
export function curlCommand({ kind, request }: Pick<Exchange, 'kind' | 'request'>): string | undefined {
  const { method, url, headers, body, bodyBytes, authentic } = request;
  if (kind !== 'http' || Buffer.byteLength(body) !== bodyBytes || body.length > mostCharacters) return undefined;
  if (visibleControls(body) !== body || url.search(redacted) >= 0) return undefined;
  const sent = headers.filter(([name = '']) => !ownHeaders.includes(name.toLowerCase()));
  if (!sent.every((header) => header.every((part) => plain.test(part)))) return undefined;
  const isSigned = sent.some(([, value = '']) => signature.test(value));
  const hasCredential = isSigned || sent.some((header) => header.some((part) => part.search(redacted) >= 0));
  if (hasCredential && authentic !== true) return undefined;
  const lines = [
    // Brackets and braces in the address are not a pattern.
    `curl -g -i -X ${shellWord(method)} ${shellWord(url)}`,
    ...sent.map(([name = '', value = '']) =>
      signature.test(value) ? `-H "${inQuotes(name)}: t=$T,v1=$V1"` : `-H ${headerWord(name, value)}`,
    ),
    ...(body === '' ? [] : [`--data-raw ${isSigned ? '"$BODY"' : shellWord(body)}`]),
  ];
  const command = lines.join(' \\\n  ');
  if (!isSigned) return command;
  return [
    `BODY=${shellWord(body)}`,
    'T=$(date +%s)',
    `V1=$(printf '%s.%s' "$T" "$BODY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.*= //')`,
    command,
  ].join('\n');
}

function shellWord(text: string): string {
  return /^[\w/:=.,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function headerWord(name: string, value: string): string {
  const header = `${name}: ${value}`;
  const labels = Array.from(header.matchAll(redacted), ({ 1: label }) => label);
  if (labels.length === 0) return shellWord(header);
  // Every second part is the label that the expression captures.
  const [first = '', ...others] = header.split(redacted).filter((_, at) => at % 2 === 0);
  const rest = others.map((part, at) => `\${${variableOf(labels[at], name)}}${inQuotes(part)}`);
  return `"${inQuotes(first)}${rest.join('')}"`;
}

/** A variable for a redacted value: `WEBHOOK_TOKEN` for `webhook token`; without a label, by its header. */
function variableOf(label: string | undefined, header: string): string {
  const isToken = header.toLowerCase() === 'authorization';
  const name = (label ?? (isToken ? 'token' : header)).toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  return /^[A-Z]/.test(name) ? name : `SECRET_${name}`;
}

function inQuotes(text: string): string {
  return text.replace(/["$`\\]/g, String.raw`\$&`);
}
