/** A requirement about a recorded service whose report throws. */
import { reportDeviations } from '../../../../../harness/checks/report-deviations.ts';

reportDeviations(() => {
  throw new Error('This report is faulty.');
});
