import type { Brand } from '../../specs/brand.ts';
import type { RunOutput } from '../run-step.ts';

/** An output that receives every step and note with the names of the brand; the report of the last step has them. */
export function brandedOutput(output: RunOutput, brand: Brand): RunOutput {
  if (brand.isDocuments) return output;
  return {
    open: async () => await output.open?.(),
    emit: (step) => {
      if (step.step === 'run-finished' || step.step === 'run-stopped') output.emit(step);
      else if (step.step === 'check-finished')
        output.emit({ ...step, check: { ...brand.value(step.check), evidence: [] } });
      else output.emit(brand.value(step));
    },
    print: async (report, place) => await output.print?.(report, place),
    note: (line) => output.note(brand.text(line)),
  };
}
