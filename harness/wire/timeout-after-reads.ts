/**
 * `setTimeout` for waiting on incoming data. Timers run before sockets are read: data that arrived while this process
 * was stalled is read before `run` ends the wait.
 */
export function timeoutAfterReads(run: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(() => setImmediate(run), ms);
}
