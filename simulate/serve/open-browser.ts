import { spawn } from 'node:child_process';

/** Opens an address in the browser of this user. Calls `onFailure` if there is no program for it. */
export function openBrowser(address: string, onFailure: () => void): void {
  const [command, ...flags] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...flags, address], { stdio: 'ignore', detached: true });
  child.once('error', onFailure);
  child.unref();
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...flags: string[]]>>> = {
  darwin: ['open'],
  // `start` is a command of the shell, and its first quoted argument is a title.
  win32: ['cmd', '/c', 'start', '""'],
};
