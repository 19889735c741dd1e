import { spawn } from 'node:child_process';

/** Opens an address in the browser of this user. Calls `onFailure` if there is no program for it, or if it fails. */
export function openBrowser(address: string, onFailure: () => void): void {
  const [command, ...flags] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...flags, address], { stdio: 'ignore', detached: true });
  child.once('error', onFailure);
  child.once('exit', (code) => {
    if (code !== 0) onFailure();
  });
  child.unref();
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...flags: string[]]>>> = {
  darwin: ['open'],
  // `start` is a command of the shell, which would interpret parts of an address.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
