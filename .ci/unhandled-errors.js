// A reporter of Vitest: after errors that belong to no test, ends the process with 3, so that `.ci/run` does not treat the
// failed tests as the only failures, and writes the errors to the file that UNHANDLED_ERRORS names.
import { writeFileSync } from 'node:fs';

export default class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    if (errors.length === 0) return;
    process.on('exit', () => (process.exitCode = 3));
    if (process.env.UNHANDLED_ERRORS) {
      writeFileSync(process.env.UNHANDLED_ERRORS, errors.map(({ stack, message }) => stack ?? message).join('\n'));
    }
  }
}
