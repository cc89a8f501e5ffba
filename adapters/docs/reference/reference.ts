import { code, escaped, inline, slugOf } from './html.ts';
import { type DocumentedTag, type OpenApiReader, textOf } from './openapi-reader.ts';
import { operationHtml } from './operation-html.ts';
import { framed, type PageFrame } from './page-frame.ts';
import { schemaHtml } from './schema-html.ts';

/** The slug of the page of the shared schemas, beside those of the tags. */
const COMPONENTS = 'components';

/**
 * The reference as plain pages, by the name of their file: an index, a page for each tag of the OpenAPI document, and one
 * of what they share. They need no script, so the strict policy of the other pages holds, and a reader without sight or
 * with a telephone has the same.
 */
export const referenceFiles = async (
  reader: OpenApiReader,
  frame: PageFrame,
): Promise<ReadonlyMap<string, string>> => {
  const files = new Map([
    ['reference.html', await framed(frame, 'Reference', indexOf(reader))],
    [
      `reference/${COMPONENTS}.html`,
      await framed(frame, 'Components: reference', schemasOf(reader)),
    ],
  ]);
  for (const tag of reader.tags)
    files.set(
      `reference/${slugOf(tag.name)}.html`,
      await framed(frame, `${tag.name}: reference`, sectionOf(tag, reader)),
    );
  return files;
};

const indexOf = ({ tags, operations }: OpenApiReader): string => {
  const parts = tags.map(({ name, description }) => {
    const own = operations.filter(({ tag }) => tag === name);
    return `<h2><a href="/docs/reference/${slugOf(name)}">${escaped(name)}</a></h2>
<p>${inline(description)}</p>
<ul>
${own.map((one) => `<li><a href="${hrefOf(one)}">${inline(one.summary)}</a> ${code(`${one.method} ${one.path}`)}</li>`).join('\n')}
</ul>`;
  });
  return `<h1>Reference</h1>\n${LEAD}\n${parts.join('\n')}`;
};

const sectionOf = (tag: DocumentedTag, reader: OpenApiReader): string => {
  const own = reader.operations.filter((one) => one.tag === tag.name);
  const links = own.map(
    ({ id, summary }) => `<li><a href="#${slugOf(id)}">${inline(summary)}</a></li>`,
  );
  return `<h1>${escaped(tag.name)}</h1>
<p>${inline(tag.description)}. <a href="/docs/reference">All of the reference</a>.</p>
<ul>
${links.join('\n')}
</ul>
${own.map((one) => operationHtml(one, reader)).join('\n')}`;
};

const schemasOf = (reader: OpenApiReader): string => {
  const parts = reader.schemas.map(
    ([name, schema]) =>
      `<section aria-labelledby="${slugOf(name)}"><h2 id="${slugOf(name)}">${escaped(name)}</h2>
${textOf(schema['description']) === '' ? '' : `<p>${inline(textOf(schema['description']))}</p>\n`}${schemaHtml(schema)}</section>`,
  );
  return `<h1>Components</h1>\n<p>What several operations take or answer. <a href="/docs/reference">All of the reference</a>.</p>\n${parts.join('\n')}`;
};

/** Where an operation is described. */
export const hrefOf = ({ tag, id }: { readonly tag: string; readonly id: string }): string =>
  `/docs/reference/${slugOf(tag)}#${slugOf(id)}`;

const LEAD = `<p>Every operation of the interface, made from the same table that serves it. As an OpenAPI 3.1 document: <a href="/docs/openapi.json">JSON</a>, <a href="/docs/openapi.yaml">YAML</a>. What several of them take or answer: <a href="/docs/reference/${COMPONENTS}">Components</a>.</p>`;
