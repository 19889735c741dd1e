/**
 * `setTimeout` for the wait for something that arrives. Timers come before sockets: what has arrived while this process
 * stood still is read before `run` gives the wait up.
 */
export function timeoutAfterReads(run: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(() => setImmediate(run), ms);
}
