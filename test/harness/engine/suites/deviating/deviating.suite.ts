/** A report about a recorded service that throws. */
import { reportDeviations } from '../../../../../harness/checks/report-deviations.ts';

reportDeviations(() => {
  throw new Error('This report is faulty.');
});
