/** Runs at the end of the scope, unless what it undoes has happened. */
export function undoneUnless(hasHappened: () => boolean, undo: () => void): Disposable {
  return {
    [Symbol.dispose]: () => {
      if (!hasHappened()) undo();
    },
  };
}

/** Runs after this many milliseconds, unless it is disposed before. */
export function after(ms: number, run: () => void): Disposable {
  const timer = setTimeout(run, ms);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
