/** The name in header names, id fields and key prefixes of the interface document: a placeholder for the vendor's own. */
const documentName = 'Svc';

type Headers = readonly (readonly [name: string, value: string])[];

const known = new Map<string, Brand>();

/**
 * The one mapping between the document's spelling of branded names, which all our code, schemas and sentences use, and
 * the vendor's, which is sent, accepted, printed and published: `X-Svc-…` and `X-Acme-…`, `svcContactId` and
 * `acmeContactId`, `svc_sk_` and `acme_sk_`.
 *
 * Every method swaps the two spellings, so it maps in both directions: a name that the other side spells as the
 * document does is an unknown name for the checks, and is printed as it was sent. Nothing else changes, and with the
 * document's own brand nothing at all.
 */
export class Brand {
  /** As in header names. */
  readonly name: string;
  /** The beginning of API keys, `svc_sk_`. Keys are never mapped: everywhere they are as issued. */
  readonly keyPrefix: string;
  /** Whether it is the brand of the document, so that nothing is mapped. */
  readonly isDocuments: boolean;
  /** Every branded name in one spelling to the other one. */
  readonly #other: ReadonlyMap<string, string>;
  readonly #names: RegExp;
  readonly #fields: RegExp;

  private constructor(name: string) {
    const [ofDocument, own] = [spelling(documentName), spelling(name)];
    this.name = own.name;
    this.keyPrefix = own.key;
    this.isDocuments = own.name === ofDocument.name;
    const pairs = kinds.map((kind) => [ofDocument[kind], own[kind]] as const);
    this.#other = new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));
    const either = (...wanted: readonly (typeof kinds)[number][]) =>
      wanted.flatMap((kind) => [ofDocument[kind], own[kind]]).join('|');
    // An id of a check (#a-call-without-x-svc-call-id) is not a header, and the end of a longer word is not a name.
    const headers = `(?<![\\w#/-])(?:${either('header', 'lowHeader')})`;
    const others = `(?<![A-Za-z0-9_])(?:${either('variable', 'key')})`;
    const fields = `(?<![A-Za-z0-9_])(?:${either('contact', 'project')})(?![A-Za-z0-9_])`;
    this.#names = new RegExp(`${headers}|${others}|${fields}`, 'g');
    // A quotation mark within a string of JSON follows a backslash, so this finds names of fields only.
    this.#fields = new RegExp(`(?<=")(?:${either('contact', 'project')})(?="[ \\t\\r\\n]*:)`, 'g');
  }

  /** The brand with this name; default: the document's. */
  static named(name = documentName): Brand {
    const brand = known.get(name) ?? new Brand(name);
    known.set(name, brand);
    return brand;
  }

  /** Maps every branded name in our own strings: messages, pages, published documents. */
  text(text: string): string {
    return this.isDocuments ? text : text.replace(this.#names, this.#swap);
  }

  /** {@link text} for all strings and field names within a JSON value. */
  value<Value>(value: Value): Value {
    return this.isDocuments ? value : (this.#mapped(value) as Value);
  }

  /** Maps the field names of a JSON text, valid or not. No string in it changes, and no other byte. */
  json(text: string): string {
    return this.isDocuments ? text : text.replace(this.#fields, this.#swap);
  }

  /** {@link json} for bytes in an encoding that extends ASCII, valid or not. */
  body<Bytes extends Uint8Array>(bytes: Bytes): Bytes | Buffer {
    if (this.isDocuments) return bytes;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const mapped = this.json(text);
    return mapped === text ? bytes : Buffer.from(mapped, 'latin1');
  }

  /** Maps the names of headers; their values do not change. */
  headers<Pairs extends Headers>(headers: Pairs): Pairs | [name: string, value: string][] {
    return this.isDocuments ? headers : headers.map(([name, value]) => [this.text(name), value]);
  }

  /** Maps a request of the service. A signed body does not change: the interface has no branded names in it. */
  request<Request extends { headers: Headers; body: Uint8Array }>(request: Request): Request {
    if (this.isDocuments) return request;
    const { headers, body } = request;
    return { ...request, headers: this.headers(headers), body: this.isSigned(headers) ? body : this.body(body) };
  }

  /** Whether one of the headers is the signature, in either spelling. */
  isSigned(headers: readonly (readonly string[])[]): boolean {
    const name = 'x-svc-signature';
    return headers.some(([given = '']) => [name, this.text(name)].includes(given.toLowerCase()));
  }

  #mapped(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#mapped(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.#mapped(item)]));
  }

  readonly #swap = (name: string): string => this.#other.get(name) ?? name;
}

/** The branded names. `variable` is the beginning of the name that CGI and PHP give a header. */
const kinds = ['header', 'lowHeader', 'variable', 'contact', 'project', 'key'] as const;

/** The names of a brand. In the fields the first letter is small, or all of them where all were capitals. */
function spelling(brand: string): Record<(typeof kinds)[number] | 'name', string> {
  const name = brand.slice(0, 1).toUpperCase() + brand.slice(1);
  const [low, high] = [brand.toLowerCase(), brand.toUpperCase()];
  const field = brand === high ? low : brand.slice(0, 1).toLowerCase() + brand.slice(1);
  return {
    name,
    header: `X-${name}-`,
    lowHeader: `x-${low}-`,
    variable: `HTTP_X_${high}_`,
    contact: `${field}ContactId`,
    project: `${field}ProjectId`,
    key: `${low}_sk_`,
  };
}
