/** Formats milliseconds for people: `40 ms`, `3.4 s`. */
export function formatMs(ms: number): string {
  return ms < 950 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
