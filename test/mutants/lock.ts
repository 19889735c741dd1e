/**
 * A lock that is held for this many milliseconds: the function takes it and returns false, or returns true while it is
 * held.
 */
export function lock(ms: number): () => boolean {
  let isHeld = false;
  return () => {
    if (isHeld) return true;
    isHeld = true;
    setTimeout(() => (isHeld = false), ms);
    return false;
  };
}
