/** Elements of the first that are not in the second, in the order of the first. */
export function without<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): Set<T> {
  return new Set([...one].filter((each) => !other.has(each)));
}

/** Elements of both, in the order of the first. */
export function shared<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): Set<T> {
  return new Set([...one].filter((each) => other.has(each)));
}
