import type { DocumentRule } from './judge-changes.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** A security scheme, as declared by a document. */
export interface SecurityScheme {
  /** Name in the document; it does not appear on the wire. */
  readonly name: string;
  /** Equal for two schemes that are the same on the wire. */
  readonly wire: string;
  readonly words: string;
}

/** Schemes that are required together; empty: no authentication. */
export type AuthenticationWay = readonly SecurityScheme[];

/** A difference of authentication, and the side that it breaks with the older version. */
export interface AuthenticationChange {
  readonly rule: DocumentRule;
  readonly text: string;
  readonly breaks: { readonly sender?: boolean; readonly reader?: boolean };
}

/** A security scheme of an OpenAPI or AsyncAPI document. An undeclared scheme is identified by its name. */
export function securityScheme(name: string, declared: JsonObject | undefined): SecurityScheme {
  if (declared === undefined) return { name, wire: name, words: name };
  const { type, in: place, name: field, scheme, flows, openIdConnectUrl } = declared;
  if (typeof field === 'string') {
    // Header names are case-insensitive.
    const text = place === 'header' ? field.toLowerCase() : field;
    const words = place === 'header' ? `the header ${field}` : `${field} in ${String(place)}`;
    return { name, wire: JSON.stringify([place, text]), words };
  }
  if (typeof scheme === 'string') return { name, wire: JSON.stringify(['http', scheme.toLowerCase()]), words: scheme };
  const words = `${String(type)}${typeof place === 'string' ? ` in ${place}` : ''}`;
  return { name, wire: JSON.stringify([type, place, flows, openIdConnectUrl]), words };
}

/** Schemes whose form on the wire changed: clients with the older form are no longer recognised. */
export function changedSchemes(
  used: Iterable<AuthenticationWay>,
  newer: ReadonlyMap<string, SecurityScheme>,
): (AuthenticationChange & { readonly name: string })[] {
  const older = new Map([...used].flat().map((scheme) => [scheme.name, scheme]));
  return [...older.values()].flatMap(({ name, wire, words }) => {
    const is = newer.get(name);
    if (is === undefined || is.wire === wire) return [];
    const text = `was ${words}, is ${is.words}`;
    return [{ name, rule: 'authentication-changed' as const, text, breaks: { sender: true, reader: true } }];
  });
}

/**
 * Differences of the alternative authentications. A client that sends more credentials than required does not break; if
 * none are required any longer, only a reader with the older version rejects requests without them. `changedSchemes`
 * covers changed schemes.
 *
 * @param newerSchemes every scheme of the newer version, by name
 */
export function compareAuthentication(
  older: readonly AuthenticationWay[],
  newer: readonly AuthenticationWay[],
  newerSchemes: ReadonlyMap<string, SecurityScheme>,
): AuthenticationChange[] {
  const was = byWire(older.map((way) => way.map((scheme) => newerSchemes.get(scheme.name) ?? scheme)));
  const is = byWire(newer);
  const [wasFree, isFree] = [was.delete(''), is.delete('')];
  const gone = [...was].filter(([wire]) => !is.has(wire)).map(([, words]) => words);
  const come = [...is].filter(([wire]) => !was.has(wire)).map(([, words]) => words);
  const removed = gone.map((words): AuthenticationChange => ({ rule: 'authentication-removed', text: `no longer with ${words}`, breaks: { sender: !isFree } }));
  const added = come.map((words): AuthenticationChange => ({ rule: 'authentication-added', text: `now also with ${words}`, breaks: { reader: !wasFree } }));
  if (wasFree === isFree) return [...removed, ...added];
  if (isFree) return [{ rule: 'authentication-removed', text: 'authentication is no longer required', breaks: { reader: true } }, ...added];
  const needed = [...is.values()].join(' or ');
  return [...removed, { rule: 'authentication-added', text: `authentication is required now: ${needed}`, breaks: { sender: true } }];
} // prettier-ignore

/** Describes each alternative by its form on the wire; empty: no authentication. */
function byWire(ways: readonly AuthenticationWay[]): Map<string, string> {
  const free: readonly AuthenticationWay[] = [[]];
  return new Map(
    (ways.length === 0 ? free : ways).map((way) => [
      way.map(({ wire }) => wire).sort().join(' '),
      way.map(({ words }) => words).join(' with '),
    ]),
  );
} // prettier-ignore
