/** Whether a host of an address, as `URL.hostname` has it, is this machine: `localhost`, 127.0.0.0/8 or [::1]. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
