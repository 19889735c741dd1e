import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Brand } from '../../specs/brand.ts';
import { isEnvReference } from '../../specs/env-reference.ts';
import type { Config, TlsOptions } from '../../specs/generated/types.ts';
import type { ConfigProblem } from '../../specs/faults/config-problem.ts';
import { HarnessFault } from '../checks/faults.ts';
import { withPlace } from '../container/container-address.ts';
import { environmentProxy, proxyAddress, ProxyVariableError } from '../wire/environment-proxy.ts';
import { contextOf, routeKeys, type ProxyAddress, type Route, type RouteKey } from '../wire/route.ts';
import { isSameAddress, routedAddress } from '../wire/routes.ts';

/** The parts of a config from which a route is read. */
export interface RouteSource {
  environment: Readonly<Record<string, string | undefined>>;
  /** The config file, or `The command line`, in messages. */
  source: string;
  /** Base of relative paths. */
  directory: string;
  /** Reads `env:NAME`, for a value that is sent as a header. */
  headerSecret: (reference: string, key: string) => string;
  /** Reads `env:NAME`. */
  secret: (reference: string, key: string) => string;
}

/** The keys of a target, or of the whole config, that define how it is reached. */
type Reaching = Pick<Config, 'headers' | 'tls' | 'proxy' | 'localAddress'>;

/** Headers that HTTP, WebSocket or the interface itself define: a gateway cannot require other values. */
const reserved =
  /^(?:host|content-(?:type|length|encoding)|connection|upgrade|transfer-encoding|te|trailer|expect|keep-alive|proxy-.*|sec-websocket-.*|x-svc-.*)$/i;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * How each address of the config is reached; `undefined` if nothing but the addresses decides. Values of a target
 * override those of the whole config, headers and fields of `tls` one by one. Throws {@link HarnessFault}
 * `config-invalid` or `secret-missing`, with the key.
 */
export function resolveRoutes(config: Config, given: RouteSource): Partial<Record<RouteKey, Route>> | undefined {
  const reached = routeKeys.flatMap((key) => {
    const address = routedAddress(config, key);
    return address === undefined ? [] : [{ key, address, route: resolveRoute(config, key, address, given) }];
  });
  for (const [index, one] of reached.entries()) {
    for (const other of reached.slice(index + 1)) assertOneRoute(one, other, given);
  }
  const routes = reached.filter(({ route }) => Object.keys(route).length > 1 || route.headers.length > 0);
  return routes.length === 0 ? undefined : Object.fromEntries(routes.map(({ key, route }) => [key, route]));
}

interface Reached {
  key: RouteKey;
  address: string;
  route: Route;
}

/** Requests are assigned to routes by their address, so one address has one route. */
function assertOneRoute(one: Reached, other: Reached, given: RouteSource): void {
  const [oneUrl, otherUrl] = [one, other].map(({ address }) => new URL(withPlace(address, 'container.invalid')));
  if (!oneUrl || !otherUrl || !isSameAddress(oneUrl, otherUrl)) return;
  if (isDeepStrictEqual(comparable(one.route), comparable(other.route))) return;
  const [onePlace, otherPlace] = [one, other].map(({ key }) => (key === 'providerStates' ? `pact.${key}` : key));
  throw invalid(given, {
    key: `${otherPlace}.url`,
    expected: `the same headers, tls, proxy and localAddress as ${onePlace}, which has the same address`,
    received: 'others',
    hint: 'Use the same values for both, or another address for one of them.',
  });
}

function comparable(route: Route): object {
  return { ...route, headers: new Map(route.headers.map(([name, value]) => [name.toLowerCase(), value])) };
}

function resolveRoute(config: Config, key: RouteKey, address: string, given: RouteSource): Route {
  const own: Reaching = key === 'observe' || key === 'providerStates' ? {} : (config[key] ?? {});
  const place = (name: keyof Reaching) => (own[name] === undefined ? name : `${key}.${name}`);
  const localAddress = own.localAddress ?? config.localAddress;
  if (localAddress !== undefined && isIP(localAddress) === 0) {
    throw invalid(given, {
      key: place('localAddress'),
      expected: 'an IP address of this machine',
      received: JSON.stringify(localAddress),
    });
  }
  const proxy = resolveProxy(own.proxy ?? config.proxy, place('proxy'), address, given);
  return {
    headers: resolveHeaders(config, key, given),
    ...resolveTls(config.tls, own.tls, key, given),
    ...(proxy && { proxy }),
    ...(localAddress !== undefined && { localAddress }),
  };
}

function resolveHeaders(config: Config, key: RouteKey, given: RouteSource): [string, string][] {
  const own = key === 'observe' ? config.stateHeaders : key === 'providerStates' ? undefined : config[key]?.headers;
  const ownPlace = key === 'observe' ? 'stateHeaders' : `${key}.headers`;
  const headers = new Map<string, [string, string]>();
  for (const [place, group] of [
    ['headers', config.headers],
    [ownPlace, own],
  ] as const) {
    for (const [name, reference] of Object.entries(group ?? {})) {
      const at = `${place}.${name}`;
      if (!token.test(name)) {
        throw invalid(given, { key: place, expected: 'names of HTTP headers', received: JSON.stringify(name) });
      }
      if (isReserved(name, config.brand) || (key === 'crmWebhook' && /^authorization$/i.test(name))) {
        throw invalid(given, {
          key: at,
          expected: 'a header that the interface does not define',
          received: `${name}, which ${key === 'crmWebhook' ? 'the CRM webhook' : 'the service'} sends itself`,
          hint: 'Let the gateway accept another header.',
        });
      }
      headers.set(name.toLowerCase(), [name, given.headerSecret(reference, at)]);
    }
  }
  return [...headers.values()];
}

/** Whether the interface defines this header under the brand of the config. Brands map small letters only as a whole. */
function isReserved(name: string, brand: string | undefined): boolean {
  return reserved.test(Brand.named(brand).text(name.toLowerCase()));
}

function resolveProxy(
  proxy: string | boolean | undefined,
  key: string,
  address: string,
  given: RouteSource,
): ProxyAddress | undefined {
  if (proxy === false) return undefined;
  if (proxy === undefined) return fromEnvironment(address, given);
  const isReference = typeof proxy === 'string' && isEnvReference(proxy);
  const text = proxy === true ? '' : isReference ? given.secret(proxy, key) : proxy;
  const found = proxyAddress(text);
  if (!found) {
    throw invalid(given, {
      key,
      expected: 'the address of an HTTP proxy (http://host:port), env:NAME with one, or false',
      received: isReference
        ? 'another value there (hidden)'
        : typeof proxy === 'string'
          ? 'a string (not shown)'
          : 'true',
    });
  }
  if (found.credentials && !isReference) {
    throw invalid(given, {
      key,
      expected: 'env:NAME for an address with a user name or password',
      received: 'one with them (hidden)',
    });
  }
  return found;
}

function fromEnvironment(address: string, { environment, source }: RouteSource): ProxyAddress | undefined {
  try {
    // A container is on this machine or in its local network.
    return address.includes('{container}')
      ? undefined
      : environmentProxy(new URL(withPlace(address, 'localhost')), environment);
  } catch (error) {
    if (!(error instanceof ProxyVariableError)) throw error;
    throw new HarnessFault('config-invalid:problems', {
      source,
      problems: [
        {
          key: `environment variable ${error.variable}`,
          expected: 'the address of an HTTP proxy (http://host:port)',
          received: 'another value (hidden)',
        },
      ],
    });
  }
}

function resolveTls(
  common: TlsOptions = {},
  own: TlsOptions = {},
  target: RouteKey,
  given: RouteSource,
): Omit<Route, 'headers' | 'proxy' | 'localAddress'> {
  const place = (name: keyof TlsOptions) => (own[name] === undefined ? `tls.${name}` : `${target}.tls.${name}`);
  const tls = { ...common, ...own };
  const { insecure, servername } = tls;
  for (const [name, other] of [
    ['cert', 'key'],
    ['key', 'cert'],
  ] as const) {
    if (tls[name] === undefined || tls[other] !== undefined) continue;
    const what = other === 'key' ? 'the private key of the client certificate' : 'the client certificate of the key';
    throw invalid(given, {
      key: place(name).replace(/\w+$/, other),
      expected: `${what} in ${place(name)}`,
      received: '(missing)',
    });
  }
  const ca = tls.ca === undefined ? undefined : readPem(tls.ca, place('ca'), 'CERTIFICATE', given);
  const cert = tls.cert === undefined ? undefined : readPem(tls.cert, place('cert'), 'CERTIFICATE', given);
  const key = tls.key === undefined ? undefined : readPem(tls.key, place('key'), 'PRIVATE KEY', given);
  if (cert !== undefined && key !== undefined) {
    assertPair({ cert, key }, { cert: place('cert'), key: place('key') }, given);
  }
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && key !== undefined && { cert, key }),
    ...(insecure === true && { insecure }),
    ...(servername !== undefined && { servername }),
  };
}

/** The PEM text of a file or a variable. */
function readPem(reference: string, key: string, label: 'CERTIFICATE' | 'PRIVATE KEY', given: RouteSource): string {
  const isReference = isEnvReference(reference);
  const text = isReference ? given.secret(reference, key) : readText(reference, key, given);
  const expected = label === 'CERTIFICATE' ? 'certificates in PEM form' : 'a private key in PEM form, not encrypted';
  const isCertificate = label === 'CERTIFICATE';
  try {
    if (isCertificate) for (const block of certificatesIn(text)) new X509Certificate(block);
    else createPrivateKey(text);
  } catch (error) {
    const isEncrypted = (error as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE';
    throw invalid(given, {
      key,
      expected: `${expected} in ${reference}`,
      received: isEncrypted ? 'an encrypted one' : 'something else (not shown)',
    });
  }
  return text;
}

const certificateBlock = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED )?CERTIFICATE-----/g;

function certificatesIn(text: string): string[] {
  const blocks = text.match(certificateBlock);
  if (!blocks) throw new Error('no certificate');
  return blocks;
}

function readText(path: string, key: string, given: RouteSource): string {
  const file = resolve(given.directory, path);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'it cannot be read' } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code;
    throw invalid(given, {
      key,
      expected: 'a file or env:NAME',
      received: mayBeContent(path) ? 'a string (not shown) that is not the path of a file' : `${path}: ${why}`,
    });
  }
}

/** Characters; a shorter string is a path rather than the Base64 of a key in one line. */
const maxPathCharacters = 150;

/** Whether a string may be the key itself, which must not be shown, instead of the path of its file. */
function mayBeContent(path: string): boolean {
  return /[\r\n]|-----BEGIN/.test(path) || path.length > maxPathCharacters;
}

function assertPair(
  { cert, key }: { cert: string; key: string },
  places: { cert: string; key: string },
  given: RouteSource,
): void {
  const [leaf = ''] = certificatesIn(cert);
  const isPair = new X509Certificate(leaf).checkPrivateKey(createPrivateKey(key));
  if (!isPair) {
    throw invalid(given, {
      key: places.key,
      expected: `the private key of the first certificate in ${places.cert}`,
      received: 'the key of another one',
    });
  }
  try {
    contextOf({ headers: [], cert, key });
  } catch (error) {
    throw invalid(given, {
      key: places.cert,
      expected: 'a client certificate that OpenSSL accepts',
      received: `one that it refuses: ${(error as Error).message}`,
    });
  }
}

function invalid({ source }: RouteSource, problem: ConfigProblem): HarnessFault {
  return new HarnessFault('config-invalid:problems', { source, problems: [problem] });
}
