import { reportDeviations } from '../../harness/checks/report-deviations.ts';
import { serviceDeviations } from './service-deviations.ts';

reportDeviations(serviceDeviations);
