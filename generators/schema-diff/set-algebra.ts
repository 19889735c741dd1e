/** What is in the one and not in the other, in the order of the first. */
export function without<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): Set<T> {
  return new Set([...one].filter((each) => !other.has(each)));
}

/** What is in both, in the order of the first. */
export function shared<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): Set<T> {
  return new Set([...one].filter((each) => other.has(each)));
}
