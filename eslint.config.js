import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * Reports a promise that a variable keeps during another `await`: if it is rejected then, nothing handles the rejection,
 * and Node ends the process. `Promise.all` from the start handles it.
 */
const noPromiseKept = {
  meta: { type: 'problem', schema: [], messages: { kept: 'Pass this promise to Promise.all before the next await.' } },
  create(context) {
    const { sourceCode } = context;
    const { getTypeAtLocation } = sourceCode.parserServices;
    const [kept, awaits] = [[], []];
    return {
      AwaitExpression: (node) => awaits.push(node),
      VariableDeclarator(node) {
        const isPromise = () => getTypeAtLocation(node.init).getSymbol()?.name === 'Promise';
        if (node.init?.type === 'CallExpression' && isPromise()) kept.push(node);
      },
      'Program:exit'() {
        for (const node of kept) {
          const [variable] = sourceCode.getDeclaredVariables(node);
          const use = variable?.references.find(({ identifier }) => identifier !== node.id)?.identifier;
          const isBetween = ({ range: [from, to] }) => from >= node.range[1] && to <= use.range[0];
          if (use && awaits.some(isBetween)) context.report({ node, messageId: 'kept' });
        }
      },
    };
  },
};

export default defineConfig(
  { ignores: ['dist/', 'dist.new/', 'conformance-report/', 'coverage/', 'specs/generated/types.ts'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-control-regex': 'error',
      'no-console': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // A leading underscore says that a name is needed by position or for its disposal.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // An async function of a fixed shape (a handler, a check) may have nothing to wait for.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // Its requests are rejected at the deadline, whenever that is.
    files: ['diagnosis/**/*.ts'],
    plugins: { local: { rules: { 'no-promise-kept': noPromiseKept } } },
    rules: { 'local/no-promise-kept': 'error' },
  },
  {
    // Tests look into JSON of which they know the shape.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
