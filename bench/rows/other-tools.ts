import type { ToolRun } from '../processes/tool-runs.ts';
import type { Baseline, MissingBaseline, Row } from '../row.ts';
import { runProcess, startEndpoint } from '../start-process.ts';
import { installTool, type ToolName } from '../tool.ts';

const cases = 200;
const goal = { ratio: 0.2 };

export const rows: readonly Row[] = [
  {
    name: 'other-tools',
    what: `signed requests sent and judged, ${cases} in one run, for each case`,
    unit: 'ms',
    better: 'less',
    rounds: 3,
    run: async (compare) => {
      using endpoint = await startEndpoint('http-endpoint.ts');
      const { url } = endpoint;
      const run = async (tool: ToolRun, main = '') =>
        (await runProcess<number>('tool-runs.ts', tool, main, url, String(cases))) / cases;
      const installed = async (tool: ToolRun & ToolName): Promise<Baseline | MissingBaseline> => {
        const found = await installTool(tool);
        if ('skipped' in found) return { name: tool, goal, ...found };
        return { name: found.title, goal, measure: () => run(tool, found.entry) };
      };
      await compare(
        () => run('svc-conform'),
        [
          await installed('@stepci/runner'),
          await installed('dredd'),
          await installed('newman'),
          { name: 'Pact verifier', goal, measure: () => run('pact') },
          {
            name: 'Schemathesis',
            goal,
            skipped: 'it is a Python package, and this bench installs packages of npm only',
          },
        ],
      );
    },
  },
];
