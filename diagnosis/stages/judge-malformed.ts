import type { Answer } from '../../harness/wire/observation.ts';
import type { Connection } from '../connection.ts';
import { effectivePort } from './effective-port.ts';
import { plainAnswer } from './tls-handshake.ts';
import type { StageOutcome } from './stage.ts';

/** Milliseconds for a port to reveal its protocol. */
const plainTimeoutMs = 1_500;
/** Quoted characters of the received data. */
const quotedCharacters = 40;

/** Type of the frame with which every HTTP/2 server begins (RFC 9113, 3.4 and 6.5). */
const settingsFrame = 4;

/** Identifies an answer that is not HTTP/1.1. `detail` is the message of the parser. */
export async function judgeMalformed(
  { detail, isUndecodable }: Extract<Answer, { outcome: 'malformed' }>,
  connection: Connection,
): Promise<StageOutcome> {
  const none: StageOutcome = { suspects: [], passed: [], seen: [] };
  // The answer is HTTP; a later stage judges its body.
  if (isUndecodable) return none;
  const url = new URL(connection.url);
  const isPlain = url.protocol === 'http:' || url.protocol === 'ws:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const options = {
    host,
    route: connection.session.routes.to(connection.url),
    address: host,
    port: effectivePort(url),
    timeoutMs: Math.min(plainTimeoutMs, connection.remainingMs),
  };
  const bytes = isPlain ? await plainAnswer(options) : '';
  const what = `Port ${options.port} of ${host}`;
  if (isTlsRecord(bytes)) {
    return {
      ...none,
      found: { id: 'http/speaks-tls', summary: `${what} speaks TLS, but the URL has a scheme without TLS.` },
    };
  }
  if (bytes.startsWith('\0\0') && bytes.charCodeAt(3) === settingsFrame) {
    return { ...none, found: { id: 'http/http2-only', summary: `${what} speaks HTTP/2 only.` } };
  }
  if (bytes !== '' ? !bytes.startsWith('HTTP/') : /Expected HTTP\//.test(detail)) {
    const [line = ''] = bytes.replaceAll(/[^\x20-\x7e\r\n]/g, '.').split(/[\r\n]/);
    const says = line === '' ? '' : `: it sends “${line.slice(0, quotedCharacters)}”`;
    return { ...none, found: { id: 'http/not-http', summary: `${what} does not speak HTTP${says}.` } };
  }
  return {
    ...none,
    found: { id: 'http/answer-malformed', summary: `The answer cannot be read as HTTP: ${detail}.` },
  };
}

/** An alert or a handshake of TLS 1.0 or later (RFC 8446, 5.1). */
function isTlsRecord(bytes: string): boolean {
  return [0x15, 0x16].includes(bytes.charCodeAt(0)) && bytes.charCodeAt(1) === 3;
}
