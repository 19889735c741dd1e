import type { Counterexample } from '../../../specs/generated/types.ts';
import { indentJson } from '../../text/indent-json.ts';
import { counted, labelCounterexample } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { markedJson } from './marked-json.ts';

/** The smallest failing event or dialogue, with its differences from an accepted one marked. */
export function counterexampleView(example: Counterexample): Markup {
  const { seed, path, runs, shrinks, event, differences } = example;
  const pointers = differences.flatMap(({ pointer, failing }) =>
    pointer === '' || failing === '(missing)' ? [] : [pointer],
  );
  return html`<details class="smallest">
    <summary>Smallest failing ${labelCounterexample(example)}</summary>
    <p class="quiet">
      seed ${seed}, path ${path}, found after ${counted(runs, 'run')} and ${counted(shrinks, 'shrink')}
    </p>
    ${differences.length > 0 && differenceTable(differences)}
    <pre>${markedJson(indentJson(event), pointers).text}</pre>
  </details>`;
}

function differenceTable(differences: Counterexample['differences']): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Differences">
    <table>
      <caption>
        Differences from the closest accepted event
      </caption>
      <thead>
        <tr>
          <th scope="col">Where</th>
          <th scope="col">Failing</th>
          <th scope="col">Accepted</th>
        </tr>
      </thead>
      <tbody>
        ${differences.map(
          (one) =>
            html`<tr>
              <th scope="row"><code>${one.pointer || '(the whole body)'}</code></th>
              <td><code>${one.failing}</code></td>
              <td><code>${one.accepted}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
