import type { Exchange } from '../../specs/generated/types.ts';
import { visibleControls } from './visible-controls.ts';

/** Longer bodies are not offered as a command. */
const mostCharacters = 8000;

/** Headers that curl sets itself. */
const ownHeaders: readonly string[] = ['host', 'connection', 'content-length', 'transfer-encoding'];

/** A redacted value; the text after the colon names it. */
const redacted = /\[redacted[^\]]*\]/g;

/** A header that signs the time and the body; its value is not a secret, but it expires. */
const signature = /^t=\d+,v1=[0-9a-f]{64}$/;

/**
 * The request as commands for a POSIX shell with curl and openssl: secrets are the variables SECRET and TOKEN, and a signed
 * request is signed afresh. `undefined` where the record differs from what was sent: a shortened or redacted body, or one
 * with control characters.
 */
export function curlCommand({ kind, request }: Pick<Exchange, 'kind' | 'request'>): string | undefined {
  const { method, url, headers, body, bodyBytes } = request;
  if (kind !== 'http' || Buffer.byteLength(body) !== bodyBytes || body.length > mostCharacters) return undefined;
  if (visibleControls(body) !== body || url.search(redacted) >= 0) return undefined;
  const sent = headers.filter(([name = '']) => !ownHeaders.includes(name.toLowerCase()));
  const isSigned = sent.some(([, value = '']) => signature.test(value));
  const lines = [
    `curl -i -X ${shellWord(method)} ${shellWord(url)}`,
    ...sent.map(([name = '', value = '']) =>
      signature.test(value) ? `-H "${inQuotes(name)}: t=$T,v1=$V1"` : `-H ${headerWord(`${name}: ${value}`)}`,
    ),
    ...(body === '' ? [] : [`--data-binary ${isSigned ? '"$BODY"' : shellWord(body)}`]),
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

function headerWord(header: string): string {
  if (header.search(redacted) < 0) return shellWord(header);
  const [first = '', ...others] = header.split(redacted);
  return `"${[first, ...others].map(inQuotes).join('$TOKEN')}"`;
}

function inQuotes(text: string): string {
  return text.replace(/["$`\\]/g, String.raw`\$&`);
}
