// Prints results of the tests from the files that Vitest's JSON reporter wrote:
//   failed FILE            the test files that failed, one per line; none if they are too many to run again
//   sum STATUS FILE…       the tests that passed only in the repetition, whose results are in FILE.again, and then
//                          "N passed, N failed"; exits with 1 unless all passed and STATUS is 0
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Most failed files that are run again: a busy machine does not explain more. */
const mostToRunAgain = 8;

const [command, ...args] = process.argv.slice(2);

/** The results of each test file. A file that could not be loaded has no tests, and fails itself. */
function filesOf(path) {
  if (!existsSync(path)) return [];
  return JSON.parse(readFileSync(path, 'utf8')).testResults.map(({ name, status, assertionResults }) => ({
    name: relative('.', name),
    passed: assertionResults.filter((test) => test.status === 'passed').map((test) => test.fullName),
    failed: assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName),
    isBroken: status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  }));
}

const isRed = ({ failed, isBroken }) => failed.length > 0 || isBroken;

/** Prints what passed only in the repetition, and returns how many tests of this file of results passed and failed. */
function sum(path) {
  const again = new Map(filesOf(`${path}.again`).map((file) => [file.name, file]));
  let passed = 0;
  let failed = 0;
  for (const file of filesOf(path)) {
    const repeated = again.get(file.name);
    const isGreen =
      repeated !== undefined &&
      !isRed(repeated) &&
      repeated.passed.length > 0 &&
      file.failed.every((name) => repeated.passed.includes(name));
    const names = file.isBroken ? ['the file itself'] : file.failed;
    if (isGreen) for (const name of names) console.log(`failed, then passed alone: ${file.name} > ${name}`);
    passed += isGreen ? repeated.passed.length : file.passed.length;
    failed += isGreen ? 0 : names.length;
  }
  return { passed, failed };
}

if (command === 'failed') {
  const red = filesOf(args[0]).filter(isRed);
  if (red.length <= mostToRunAgain) for (const { name } of red) console.log(name);
} else {
  const [status, ...paths] = args;
  const sums = paths.map(sum);
  const passed = sums.reduce((all, one) => all + one.passed, 0);
  const failed = sums.reduce((all, one) => all + one.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || sums.some((one) => one.passed === 0) || status !== '0' ? 1 : 0;
}
