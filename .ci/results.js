// Results of the tests, from the files that Vitest's JSON reporter wrote:
//   failed FIRST                  the test files that failed, a line each; none if they are too many to run again
//   sum FIRST SECOND STATUS       what failed in the first run and passed in the second, and then "N passed, N failed";
//                                 SECOND may be empty; exits with 1 unless all passed and STATUS is 0
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** More files than this do not fail because the machine was busy. */
const mostToRunAgain = 5;

const [command, first, second, status] = process.argv.slice(2);

/** The results of each test file. A file that could not be loaded has no tests, and fails itself. */
function filesOf(path) {
  const text = readFileSync(path, 'utf8');
  if (text === '') return [];
  return JSON.parse(text).testResults.map(({ name, status, assertionResults }) => ({
    name: relative('.', name),
    passed: assertionResults.filter((test) => test.status === 'passed').map((test) => test.fullName),
    failed: assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName),
    isBroken: status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  }));
}

const isRed = ({ failed, isBroken }) => failed.length > 0 || isBroken;
const files = filesOf(first);

if (command === 'failed') {
  const red = files.filter(isRed);
  if (red.length <= mostToRunAgain) for (const { name } of red) console.log(name);
} else {
  const again = new Map(filesOf(second).map((file) => [file.name, file]));
  let passed = 0;
  let failed = 0;
  for (const file of files) {
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
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 || status !== '0' ? 1 : 0;
}
