/**
 * Variables that would lead the verifier elsewhere: filters and brokers of the integrator's own Pact tests, and proxies,
 * through which it would ask for us.
 */
const misleading = /^(?:PACT_.*|(?:HTTPS?|ALL|NO)_PROXY)$/i;

/** Threads of libuv: each running verifier keeps one, and looking up a host's name needs another. */
const threads = 16;

/** The environment of a process in which Pact's native code runs: nothing of it leaves this machine by itself. */
export function verifierEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !misleading.test(name));
  return {
    ...Object.fromEntries(kept),
    // Pact counts its uses over the network otherwise.
    PACT_DO_NOT_TRACK: 'true',
    UV_THREADPOOL_SIZE: String(threads),
  };
}
