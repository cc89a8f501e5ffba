import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { code, codeBlock, escaped, inline, prose, slugOf, table } from './html.ts';
import {
  objectOf,
  textOf,
  type DocumentedOperation,
  type OpenApiReader,
} from './openapi-reader.ts';
import { schemaHtml, typeOf } from './schema-html.ts';

/** One operation: how it is called, what it takes, what it answers. */
export const operationHtml = (operation: DocumentedOperation, reader: OpenApiReader): string => {
  const { id, method, path, summary, description, parameters, body, answers } = operation;
  return [
    `<section aria-labelledby="${slugOf(id)}">`,
    `<h2 id="${slugOf(id)}">${inline(summary)}</h2>`,
    `<p class="call"><code><strong>${method}</strong> ${escaped(path)}</code> <span class="optional">${escaped(id)}</span></p>`,
    ...(operation.isDeprecated
      ? ['<p><strong>Deprecated.</strong> The answers carry Deprecation and Sunset.</p>']
      : []),
    description === '' ? '' : prose(description),
    ...section('Parameters', parametersHtml(parameters)),
    ...(body === null
      ? []
      : section(
          'Body',
          contentHtml(body, reader, (schema) => schemaHtml(reader.resolved(schema))),
        )),
    '<h3>Answers</h3>',
    ...answers.filter(([status]) => status < '400').map((answer) => answerHtml(answer, reader)),
    refusalsHtml(answers),
    '</section>',
  ]
    .filter((part) => part !== '')
    .join('\n');
};

const section = (title: string, html: string): string[] =>
  html === '' ? [] : [`<h3>${title}</h3>`, html];

const parametersHtml = (parameters: readonly JsonObject[]): string =>
  table(
    ['name', 'in', 'takes', 'meaning'],
    parameters.map((one) => [
      `${code(textOf(one['name']))}${one['required'] === true ? '' : ' <span class="optional">optional</span>'}`,
      escaped(textOf(one['in'])),
      typeOf(objectOf(one['schema'])),
      inline(textOf(one['description'])),
    ]),
  );

/** Of each media type its schema, and the first of its examples. A body's schema is shown here, whatever its name. */
const contentHtml = (holder: JsonObject, reader: OpenApiReader, shown = schemaHtml): string =>
  Object.entries(objectOf(holder['content']))
    .map(([mediaType, value]) => {
      const { schema, examples } = objectOf(value);
      const [example] = Object.values(objectOf(examples)).map(
        (one) => reader.resolved(one)['value'],
      );
      return [
        `<p>${code(mediaType)}</p>`,
        shown(objectOf(schema)),
        example === undefined
          ? ''
          : codeBlock(typeof example === 'string' ? example : JSON.stringify(example, null, 2)),
      ].join('\n');
    })
    .join('\n');

const answerHtml = (
  [status, answer]: readonly [string, JsonObject],
  reader: OpenApiReader,
): string =>
  `<h4>${escaped(status)}</h4>\n<p>${inline(textOf(answer['description']))}</p>\n${contentHtml(answer, reader)}`;

/** Each is a problem document (RFC 9457), whose members the guide of errors tells once. */
const refusalsHtml = (answers: DocumentedOperation['answers']): string => {
  const refusals = answers.filter(([status]) => status >= '400');
  return refusals.length === 0
    ? ''
    : `<h4>Refusals</h4>\n${table(
        ['status', 'when'],
        refusals.map(([status, answer]) => [
          escaped(status),
          inline(textOf(answer['description'])),
        ]),
      )}\n<p>Each is a problem document: <a href="/docs/guides/errors">Errors</a>.</p>`;
};
