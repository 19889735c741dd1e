import { resolveRef, schemas, type JsonSchema, type SchemaName } from './schemas.ts';
import { isJsonContainer } from './json-object.ts';

type MutableJson = null | boolean | number | string | MutableJson[] | { [field: string]: MutableJson };

/** Location of the schemas in an OpenAPI or AsyncAPI document. */
export const componentsPath = '#/components/schemas/';

/** Keywords that are elsewhere in such a document, or have no meaning there. */
const dropped = new Set(['$schema', '$id', '$defs', 'examples']);

/**
 * The named schemas and all that they refer to, each once, under its title or the name of its definition; every
 * reference leads to `#/components/schemas/…`. Without examples: those belong to the messages.
 *
 * @throws Error when two different schemas would have the same name
 */
export function schemaComponents(names: readonly SchemaName[]): Record<string, MutableJson> {
  const components: Record<string, MutableJson> = {};
  const originals = new Map<string, JsonSchema>();

  const place = (schema: JsonSchema, base: string, name: string): void => {
    const known = originals.get(name);
    if (known === schema) return;
    if (known) throw new Error(`expected one schema of the name ${name}, received two (seen from ${base})`);
    originals.set(name, schema);
    components[name] = inlined(schema as unknown as MutableJson, base);
  };
  const inlined = (value: MutableJson, base: string, isMap = false): MutableJson => {
    if (Array.isArray(value)) return value.map((item) => inlined(item, base));
    if (!isJsonContainer(value)) return value;
    const copy: Record<string, MutableJson> = {};
    for (const [keyword, inner] of Object.entries(value)) {
      if (!isMap && dropped.has(keyword)) continue;
      if (!isMap && keyword === '$ref' && typeof inner === 'string') {
        const target = resolveRef(inner, base);
        const name = target.schema.title ?? inner.split('/').at(-1) ?? '';
        place(target.schema, target.base, name);
        copy.$ref = `${componentsPath}${name}`;
      } else {
        copy[keyword] = inlined(inner, base, !isMap && keyword === 'properties');
      }
    }
    return copy;
  };

  for (const name of names) place(schemas[name], schemas[name].$id, schemas[name].title);
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}
