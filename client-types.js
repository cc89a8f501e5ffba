/**
 * Writes the types of the TypeScript client from the OpenAPI document. With `--check` it writes nothing, and ends with 1
 * where they are out of step.
 *
 * @example node client-types.js --check
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const root = import.meta.dirname;
/** The served document, held against the service by test/architecture/openapi.snapshot.test.ts. */
const DOCUMENT = join(root, 'test', 'architecture', 'openapi.snapshot.json');
const FILE = join(root, 'adapters', 'client', 'generated', 'openapi.ts');

/** Pages, probes and what hubs say to each other are not called by it. */
const CALLED = /^\/(v1\/|federation\/v1\/admin\/|lifecycle$)/;

const mapped = (object, change) =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const changed = change(value, name);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );

/** What a client sends and gets. The headers are its own business, and a refusal has one shape, `Problem`. */
const operationOf = (
  { parameters = [], requestBody, responses, ...operation },
  parametersByName,
) => ({
  ...operation,
  ...(requestBody ? { requestBody: withoutExamples(requestBody) } : {}),
  parameters: parameters
    .map((one) => (one.$ref ? parametersByName[one.$ref.split('/').at(-1)] : one))
    .filter((one) => one.in !== 'header'),
  responses: mapped(responses, ({ headers: _, ...response }, status) =>
    Number(status) < 300 ? withoutExamples(response) : undefined,
  ),
});

const withoutExamples = ({ content = {}, ...message }) => ({
  ...message,
  content: mapped(content, ({ schema }) => ({ schema })),
});

const { paths, components, info, ...document } = JSON.parse(await readFile(DOCUMENT, 'utf8'));
const pruned = {
  ...document,
  info,
  paths: mapped(paths, (methods, path) =>
    CALLED.test(path)
      ? mapped(methods, (operation) => operationOf(operation, components.parameters))
      : undefined,
  ),
  components: { schemas: components.schemas },
};

const ast = await openapiTS(pruned, { silent: true });
const text =
  `// Made by \`npm run docs\` from the OpenAPI document. Do not edit.\n\n${astToString(ast)}`
    // What every operation leaves out says nothing.
    .replace(
      /^ *(query|header|path|cookie|requestBody|get|put|post|delete|options|head|patch|trace)\?: never;\n/gm,
      '',
    )
    .replace(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, '')
    .replace(/^ *parameters: \{\n *\};\n/gm, '')
    .replace(/^ +/gm, (indent) => ' '.repeat(indent.length / 2));

const isCheck = process.argv.includes('--check');
const written = await readFile(FILE, 'utf8').catch(() => '');
if (written !== text) {
  if (isCheck) {
    process.stdout.write(
      'Out of step with the OpenAPI document: adapters/client/generated/openapi.ts. Run: npm run docs\n',
    );
    process.exitCode = 1;
  } else await writeFile(FILE, text);
}
