import tseslint from 'typescript-eslint';

/** The arrows of ARCHITECTURE.md that one file's imports can break. test/architecture holds the finer ones. */
const forbid = (...groups) => ({
  'no-restricted-imports': [
    'error',
    { patterns: groups.map(([group, message]) => ({ regex: group, message })) },
  ],
});

const NODE = ['^node:', 'The domain and the application do no I/O.'];
const KNEX = ['^(knex|mysql2|@photostructure/sqlite)', 'Only adapters/sql knows the database.'];
const INVERSIFY = ['^(inversify|reflect-metadata)', 'Only config wires.'];
const CONFIG = ['/config/', 'Nobody but the tests imports config.'];

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'dist.*/**',
      'node_modules/**',
      'coverage/**',
      '**/*.d.ts',
      'test/e2e/programs/**',
      'adapters/grpc/generated/**',
      'adapters/client/generated/**',
    ],
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.base],
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    // .oxlintrc.json has the rules that need types: oxlint checks them in a sixth of the time.
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      'no-restricted-exports': [
        'error',
        {
          restrictDefaultExports: {
            direct: true,
            named: true,
            defaultFrom: true,
            namedFrom: true,
            namespaceFrom: true,
          },
        },
      ],
      'no-var': 'error',
      'prefer-const': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['domain/**/*.ts'],
    rules: {
      ...forbid(NODE, KNEX, INVERSIFY, CONFIG, [
        '/(application|adapters)/',
        'The domain knows nobody above it.',
      ]),
      'no-restricted-globals': [
        'error',
        ...[
          'process',
          'Buffer',
          'fetch',
          'setTimeout',
          'setInterval',
          'setImmediate',
          'console',
          'performance',
        ].map((name) => ({ name, message: 'The domain does no I/O and knows no clock.' })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time comes through the Clock port.' },
        { object: 'Math', property: 'random', message: 'Chance comes through a port.' },
        {
          object: 'crypto',
          property: 'randomUUID',
          message: 'Ids come through the IdSource port.',
        },
        { object: 'crypto', property: 'getRandomValues', message: 'Chance comes through a port.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Time comes through the Clock port.',
        },
      ],
    },
  },
  {
    files: ['application/**/*.ts'],
    rules: forbid(
      NODE,
      KNEX,
      INVERSIFY,
      CONFIG,
      ['/adapters/', 'The application knows ports, not adapters.'],
      [
        '^(?!typebox$)[^.]',
        'The application uses no library but typebox, for schemas as data: what it needs of one is a port.',
      ],
    ),
  },
  {
    files: ['adapters/**/*.{ts,tsx}'],
    ignores: ['adapters/sql/**', 'adapters/client/**'],
    rules: forbid(KNEX, INVERSIFY, CONFIG),
  },
  {
    files: ['adapters/client/**/*.ts'],
    rules: forbid(CONFIG, [
      '^[^.]|/application/',
      'The client runs in Node, in browsers and at the edge: it knows the domain alone.',
    ]),
  },
  { files: ['adapters/sql/**/*.ts'], rules: forbid(INVERSIFY, CONFIG) },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "AssignmentExpression > MemberExpression.left[object.name='process'][property.name='env']",
          message: 'A plain object in its place reaches no native library: use vi.stubEnv.',
        },
      ],
    },
  },
  { files: ['*.config.ts', 'eslint.config.js'], rules: { 'no-restricted-exports': 'off' } },
);
