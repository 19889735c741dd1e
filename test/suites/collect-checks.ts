/** A child process that lists the checks of the suites below a directory. */
import { listChecks } from '../../scripts/list-checks.ts';

const checks = await listChecks(process.argv[2] ?? '', 'ts');
process.send?.(checks, () => process.disconnect());
