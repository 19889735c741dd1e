// Prints results of the tests from the files that Vitest's JSON reporter wrote:
//   again FILE             arguments for Vitest, one per line, with which only the failed tests run again; nothing if
//                          they are too many
//   sum STATUS FILE…       the tests that failed, with the reason; those that passed in the repetition, whose results
//                          are in FILE.again; and then "N passed, N failed"; exits with 1 unless all passed and STATUS
//                          is 0
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Most files whose failed tests are run again: a busy machine does not explain more. */
const mostToRunAgain = 8;

/** Stands for a file that could not be loaded, which has no tests. */
const wholeFile = 'the file itself';

const [command, ...args] = process.argv.slice(2);

/** The results of each test file. */
function filesOf(path) {
  if (!existsSync(path)) return [];
  return JSON.parse(readFileSync(path, 'utf8')).testResults.map(({ name, status, message, assertionResults }) => {
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({ name: test.fullName, reason: test.failureMessages[0] ?? '' }));
    if (status === 'failed' && failed.length === 0) failed.push({ name: wholeFile, reason: message });
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
    passed += file.passed.length;
    for (const { name, reason } of file.failed) {
      const passedAgain = (repeated?.passed ?? []).filter((one) => name === wholeFile || one === name).length;
      const isGreen = passedAgain > 0 && repeated.failed.length === 0;
      console.log(`${isGreen ? 'failed, then passed alone' : 'failed'}: ${file.name} > ${name}: ${firstLine(reason)}`);
      if (isGreen) passed += name === wholeFile ? passedAgain : 1;
      else failed++;
    }
  }
  return { passed, failed };
}

if (command === 'again') {
  const red = filesOf(args[0]).filter(({ failed }) => failed.length > 0);
  if (red.length > 0 && red.length <= mostToRunAgain) {
    const names = red.flatMap(({ failed }) => failed.map(({ name }) => name));
    for (const { name } of red) console.log(name);
    // A pattern of names would leave out every test of a file that could not be loaded.
    if (!names.includes(wholeFile)) {
      console.log(
        `--testNamePattern=(?:${names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')})$`,
      );
    }
  }
} else {
  const [status, ...paths] = args;
  const sums = paths.map(sum);
  const passed = sums.reduce((all, one) => all + one.passed, 0);
  const failed = sums.reduce((all, one) => all + one.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || sums.some((one) => one.passed === 0) || status !== '0' ? 1 : 0;
}
