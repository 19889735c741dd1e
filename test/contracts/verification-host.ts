/** A process that runs one verification after another: the verifier writes to the standard output of its process. */
import { runVerification, type VerificationRequest } from '../../contracts/run-verification.ts';

process.on('message', (request: VerificationRequest) => {
  void runVerification(request).then(
    (checks) => process.send?.({ checks }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
// A normal exit would wait for the verifier's threads, which wait for this process.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
