import type { CauseEntry } from '../../model/cause-entries.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { signatureVector } from './signature-vector.ts';

/** Code for one framework. */
export interface CodeSample {
  readonly framework: string;
  readonly code: string;
}

/** Code for the fix of a cause, by `sampleKey`. */
export type CodeSamples = ReadonlyMap<string, readonly CodeSample[]>;

/** The key of a cause on its surface, for which the code differs; of the requirement where no cause was found. */
export function sampleKey({ surface, cause, lead }: CauseEntry): string {
  return cause ? `${surface} ${cause.id}` : lead.finding.requirement.id;
}

/**
 * Shows code and a test vector for the fix of an entry. The tabs are radio buttons, so they work without a script.
 */
export function fixesOf(samples: CodeSamples): (entry: CauseEntry) => Markup | undefined {
  let shown = 0;
  return (entry) => {
    const vector = signatureVector(entry);
    const code = samples.get(sampleKey(entry)) ?? [];
    if (code.length === 0 && !vector) return undefined;
    shown += 1;
    const group = `code-${shown}`;
    return html`${
      code.length > 0 &&
      html`<details class="samples">
        <summary>Code that does it correctly</summary>
        <div class="tabs" role="group" aria-label="Framework">
          ${code.map(
            (sample, index) =>
              html`<input type="radio" name="${group}" id="${group}-${index}" ${index === 0 && html` checked`} />
                <label for="${group}-${index}">${sample.framework}</label>
                <pre tabindex="0">${sample.code}</pre> `,
          )}
        </div>
      </details>`
    }${vector}`;
  };
}
