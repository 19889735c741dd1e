import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A certificate with its key, as PEM, and its data as an issuer of others. */
export interface MadeCertificate {
  cert: string;
  key: string;
  subject: Buffer;
  privateKey: KeyObject;
}

export interface CertificateOptions {
  name: string;
  organisation?: string;
  /** Host names of the certificate. */
  hosts?: readonly string[];
  issuer?: MadeCertificate;
  isAuthority?: boolean;
  /** Days from now. */
  fromDays?: number;
  toDays?: number;
  /** Address of the issuer's certificate. */
  issuerAt?: string;
}

const dayMs = 86_400_000;
let serial = Date.now();

/** Makes an X.509 certificate (RFC 5280) for a test, without other programs. */
export function makeCertificate(options: CertificateOptions): MadeCertificate {
  const { name, organisation, hosts = [], issuer, isAuthority = false, fromDays = -2, toDays = 30, issuerAt } = options;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = nameOf(organisation, name);
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'));
  const validity = sequence(time(fromDays), time(toDays));
  const extensions = [
    extension('2.5.29.19', sequence(...(isAuthority ? [der(0x01, Buffer.of(0xff))] : []))),
    ...(hosts.length > 0 ? [extension('2.5.29.17', sequence(...hosts.map(hostName)))] : []),
    ...(issuerAt === undefined ? [] : [extension('1.3.6.1.5.5.7.1.1', issuersAt(issuerAt))]),
  ];
  const toBeSigned = sequence(
    der(0xa0, integer(2)),
    integer(++serial),
    algorithm,
    issuer?.subject ?? subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', toBeSigned, issuer?.privateKey ?? privateKey);
  const bytes = sequence(toBeSigned, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = bytes.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    subject,
    privateKey,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function integer(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return der(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const base128 = (value: number) => {
    const digits = [value & 0x7f];
    for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  };
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function nameOf(organisation: string | undefined, commonName: string): Buffer {
  const part = (id: string, text: string) => der(0x31, sequence(oid(id), der(0x0c, Buffer.from(text))));
  return sequence(...(organisation === undefined ? [] : [part('2.5.4.10', organisation)]), part('2.5.4.3', commonName));
}

function time(days: number): Buffer {
  const text = new Date(Date.now() + days * dayMs).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(text));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value));
}

function hostName(host: string): Buffer {
  return /^\d+(?:\.\d+){3}$/.test(host)
    ? der(0x87, Buffer.from(host.split('.').map(Number)))
    : der(0x82, Buffer.from(host));
}

function issuersAt(address: string): Buffer {
  return sequence(sequence(oid('1.3.6.1.5.5.7.48.2'), der(0x86, Buffer.from(address))));
}
