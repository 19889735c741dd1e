import { Brand } from '../../specs/brand.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import type { CauseId } from '../causes.ts';
import type { Connection } from '../connection.ts';
import type { Doubt, Stage } from './stage.ts';

/** A reason why a secret or token looks wrong. */
interface Oddity {
  id: CauseId;
  /** Describes it without any part of the secret. */
  why: string;
  isSo: (credential: string, connection: Connection) => boolean;
  /** The intended credential, if it can be derived: the diagnosis tries it. */
  meant?: (credential: string) => string;
}

/** Characters below which a secret counts as short: generated ones are longer. */
const shortSecret = 12;

const isToken = ({ surface }: Connection) => surface === 'crm-webhook';
const beginsWithKeyPrefix = (secret: string, brand: string | undefined) =>
  secret.replace(/^["'\s]*/, '').startsWith(Brand.named(brand).keyPrefix);
const isOwnAi = ({ surface }: Connection) => surface.startsWith('own-ai');

const oddities: readonly Oddity[] = [
  {
    id: 'config/token-with-bearer',
    why: 'The token begins with the word Bearer.',
    isSo: (token, connection) => isToken(connection) && /^bearer\s/i.test(token),
    meant: (token) => token.replace(/^bearer\s+/i, ''),
  },
  {
    id: 'config/secret-in-quotes',
    why: 'The secret is enclosed in quotation marks.',
    isSo: (secret, connection) => !isToken(connection) && /^(["'`]).*\1$/s.test(secret.trim()),
    meant: (secret) => secret.trim().slice(1, -1),
  },
  {
    id: 'config/api-key-as-secret',
    why: 'The secret begins with svc_sk_, as API keys do.',
    isSo: (secret, { config }) => beginsWithKeyPrefix(secret, config.brand),
  },
  {
    id: 'config/placeholder',
    why: 'The secret looks like a placeholder from an example.',
    isSo: (secret) =>
      /^(?:whsec_)?(?:<.*>|\$\{.*\}|change.?me|secret|token|x{3,}|your[-_].*|\.{3,}|…|todo)$/i.test(secret),
  },
  {
    id: 'config/secret-without-prefix',
    why: 'The secret does not begin with whsec_, as those of assistants do.',
    isSo: (secret, connection) =>
      isOwnAi(connection) && !/^["'\s]*whsec_/.test(secret) && !beginsWithKeyPrefix(secret, connection.config.brand),
    meant: (secret) => `whsec_${secret}`,
  },
];

/**
 * Inspects the configured URL and credential. Oddities are not faults: they are reported only if the endpoint rejects the
 * credential.
 */
export const configStage: Stage = (connection, notes) => {
  const { credential } = connection;
  const url = new URL(connection.url);
  const odd = oddities.filter(({ isSo }) => isSo(credential, connection));
  notes.doubts = odd.map(({ id, why, meant }): Doubt => ({ id, why, ...(meant && { intended: meant(credential) }) }));
  const isShort = credential.trim().length < shortSecret;
  return Promise.resolve({
    suspects: [],
    passed: [],
    seen: [
      `The URL is ${url.href}.`,
      ...(isLoopback(url.hostname) ? ['It is a loopback address, which other machines cannot reach.'] : []),
      ...(url.pathname === '/' ? ['It has no path; most endpoints have one.'] : []),
      ...(/[^\x21-\x7e]/.test(decodeURI(safely(url.pathname)))
        ? ['Its path contains white space or non-ASCII characters.']
        : []),
      ...(credential.trim() === credential ? [] : ['The secret begins or ends with white space or a line break.']),
      ...odd.map(({ why }) => why),
      ...(isShort ? ['The secret is short.'] : []),
    ],
  });
};

function safely(path: string): string {
  return path.replaceAll(/%(?![0-9a-f]{2})/gi, '%25').replaceAll(/%[89a-f][0-9a-f]/gi, '%25');
}
