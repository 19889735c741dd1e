/**
 * Loaded before a program, in each of its threads and processes: once a file exists, the system's clock seems to have
 * been set. `CLOCK_STEP` is a JSON array of the path of the file and the step in milliseconds.
 */
import { existsSync } from 'node:fs';

const [file, stepMs] = JSON.parse(process.env['CLOCK_STEP'] ?? '[]') as [string, number];
const System = Date;
let isSet = false;

function now(): number {
  isSet ||= existsSync(file);
  return System.now() + (isSet ? stepMs : 0);
}

globalThis.Date = new Proxy(System, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self) as Date,
  get: (target, name, self) => (name === 'now' ? now : (Reflect.get(target, name, self) as unknown)),
});
