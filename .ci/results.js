// Prints results of the tests from the files that Vitest's JSON reporter wrote:
//   failed FILE            the test files that failed, one per line; none if they are too many to run again
//   sum STATUS FILE…       what failed, with the reason; a file whose results in FILE.again are good counts as passed;
//                          and then "N passed, N failed"; exits with 1 unless all passed and STATUS is 0
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Most failed files that are run again: a slow machine has made nine of them fail by chance. */
const mostToRunAgain = 12;

const [command, ...args] = process.argv.slice(2);

/** The results of each test file. */
function filesOf(path) {
  if (!existsSync(path)) return [];
  return JSON.parse(readFileSync(path, 'utf8')).testResults.map(({ name, status, message, assertionResults }) => {
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({ name: test.fullName, reason: test.failureMessages[0] ?? '' }));
    // A file that could not be loaded has no tests, and a hook that failed leaves those of its group skipped.
    if (status === 'failed' && failed.length === 0) failed.push({ name: 'the file itself', reason: message });
    const passed = assertionResults.filter((test) => test.status === 'passed').map((test) => test.fullName);
    return { name: relative('.', name), passed, failed };
  });
}

function firstLine(text) {
  return stripVTControlCharacters(text).split('\n')[0].slice(0, 500);
}

/** Prints what failed, and returns how many tests of this file of results passed and failed. */
function sum(path) {
  const again = new Map(filesOf(`${path}.again`).map((file) => [file.name, file]));
  let passed = 0;
  let failed = 0;
  for (const file of filesOf(path)) {
    const repeated = again.get(file.name);
    const isGreen =
      repeated !== undefined &&
      repeated.failed.length === 0 &&
      repeated.passed.length >= file.passed.length + file.failed.length;
    for (const { name, reason } of file.failed) {
      console.log(`${isGreen ? 'failed, then passed alone' : 'failed'}: ${file.name} > ${name}: ${firstLine(reason)}`);
    }
    passed += isGreen ? repeated.passed.length : file.passed.length;
    failed += isGreen ? 0 : file.failed.length;
  }
  return { passed, failed };
}

if (command === 'failed') {
  const red = filesOf(args[0]).filter((file) => file.failed.length > 0);
  if (red.length <= mostToRunAgain) for (const { name } of red) console.log(name);
} else {
  const [status, ...paths] = args;
  const sums = paths.map(sum);
  const passed = sums.reduce((all, one) => all + one.passed, 0);
  const failed = sums.reduce((all, one) => all + one.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || sums.some((one) => one.passed === 0) || status !== '0' ? 1 : 0;
}
