/**
 * Variables that would redirect the verifier: filters and brokers of the integrator's own Pact tests, and proxies,
 * through which it would request us.
 */
const misleading = /^(?:PACT_.*|(?:HTTPS?|ALL|NO)_PROXY)$/i;

/** Threads of libuv: each running verifier keeps one, and looking up a host's name needs another. */
const threads = 16;

/** The environment of a process in which Pact's native code runs: nothing leaves this machine on its own. */
export function verifierEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !misleading.test(name));
  return {
    ...Object.fromEntries(kept),
    // Otherwise Pact reports its usage over the network.
    PACT_DO_NOT_TRACK: 'true',
    UV_THREADPOOL_SIZE: String(threads),
  };
}
