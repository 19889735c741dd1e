import { spawn } from 'node:child_process';

/** Milliseconds after which the end of the program no longer means a failure: it may be the browser itself. */
const startMs = 3_000;

export interface BrowserOptions {
  /** Values that the browser does not get in its environment. */
  secrets: readonly string[];
  /** Called if there is no program for it, or if it fails at once. */
  onFailure: (reason: string) => void;
}

/** Opens an address in the browser of this user. */
export function openBrowser(address: string, { secrets, onFailure }: BrowserOptions): void {
  const [command, ...flags] = openers[process.platform] ?? ['xdg-open'];
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value = '']) => !secrets.includes(value)));
  const startedAt = performance.now();
  const child = spawn(command, [...flags, address], { stdio: 'ignore', detached: true, env });
  child.once('error', ({ message }) => onFailure(message));
  child.once('exit', (code) => {
    if (code !== null && code !== 0 && performance.now() - startedAt < startMs) {
      onFailure(`${command}: exit code ${code}`);
    }
  });
  child.unref();
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...flags: string[]]>>> = {
  darwin: ['open'],
  // `start` is a command of the shell, which would interpret parts of an address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
