/** Names and indices of a Pact path, without its `$`: `$.a['b c'][0][*]` gives a, b c, 0 and `*` for any. */
export function pactPathSteps(path: string): (string | number)[] {
  const parts = path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(\*)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/gs);
  return Array.from(parts, ([, name, index, any, quoted, inQuotes]) => {
    if (index !== undefined) return Number(index);
    return name ?? any ?? (quoted ?? inQuotes ?? '').replaceAll(/\\(.)/gs, '$1');
  });
}
