/**
 * Loaded before the program, in each of its threads: makes one system call fail, or causes another fault at that
 * moment. `FAULT` has five words: thread, function, number of the call in that thread, effect, error code.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';

const [thread = '', call = '', nth = '', action = '', code = ''] = (process.env['FAULT'] ?? '').split(' ');

type Callable = (this: unknown, ...args: unknown[]) => unknown;

const holders: Record<string, Record<string, Callable>> = {
  // Only reads of the suite file are counted: the number of others depends on the loaded modules.
  readFile: fs.promises as unknown as Record<string, Callable>,
  writeFile: fs.promises as unknown as Record<string, Callable>,
  mkdirSync: fs as unknown as Record<string, Callable>,
  rename: fs.promises as unknown as Record<string, Callable>,
  listen: net.Server.prototype as unknown as Record<string, Callable>,
  connect: net.Socket.prototype as unknown as Record<string, Callable>,
};

const error = () => Object.assign(new Error(`${code}: injected into ${call}`), { code });

const actions: Record<string, (receiver: unknown) => unknown> = {
  throws: () => {
    throw error();
  },
  rejects: () => Promise.reject(error()),
  'emits-error': (server) => {
    process.nextTick(() => (server as net.Server).emit('error', error()));
    return server;
  },
  destroys: (socket) => (socket as net.Socket).destroy(error()),
  'nothing-catches': () => {
    setImmediate(() => {
      throw error();
    });
  },
  'nothing-handles': () => {
    void Promise.reject(error());
  },
  exits: () => process.exit(1),
  'ends-thread': () => (process as unknown as { reallyExit: (code: number) => never }).reallyExit(1),
};

const { [call]: holder } = holders;
const original = holder?.[call];
if (holder && original && (thread === 'main') === isMainThread) {
  let calls = 0;
  holder[call] = function (...args) {
    const counts = call !== 'readFile' || String(args[0]).includes('built-in-suites.');
    if (counts && ++calls === Number(nth)) {
      const result = actions[action]?.(this);
      if (result !== undefined) return result;
    }
    return original.apply(this, args);
  };
  syncBuiltinESMExports();
}
