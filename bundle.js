/**
 * Makes what is served or handed over as it is, from the sources: the verifier as one file, its page, the console, the guides. The
 * same sources and libraries give the same bytes, wherever they stand.
 *
 * @example node bundle.js dist/docs
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { Marked } from 'marked';
import { onlyVersion } from './only-version.js';

const root = import.meta.dirname;
const out = resolve(process.argv[2] ?? join(root, 'dist', 'docs'));

/** A CommonJS library asks for the modules of Node by this name. */
const REQUIRE =
  "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/** Small, because it is sent along with records. Whoever wants to read what they run makes the same bytes of the sources. */
const bundled = async (entry, platform, format = platform === 'node' ? 'esm' : 'iife') => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format,
    platform,
    target: platform === 'node' ? 'node20' : 'es2022',
    minify: true,
    lineLimit: 160,
    charset: 'utf8',
    legalComments: 'none',
    // The paths of CommonJS modules stand in the bundle: those of this folder, wherever its packages are kept.
    preserveSymlinks: true,
    // The same library without what makes code of text.
    alias: { 'cbor-x': 'cbor-x/index-no-eval' },
    plugins: [onlyVersion],
    ...(platform === 'node' ? { banner: { js: REQUIRE } } : {}),
    logLevel: 'warning',
  });
  return outputFiles[0].contents;
};

const sha256 = (bytes, encoding) => createHash('sha256').update(bytes).digest(encoding);
const source = (...names) => readFile(join(root, ...names), 'utf8');

/** Programs for Node, each with its SHA-256 as sha256sum writes it, and reads it with -c. */
const PROGRAMS = [
  ['notary-verify.mjs', 'config/notary-verify.ts'],
  ['notary-gates.mjs', 'adapters/cel/cel-gate-evaluator.ts'],
];

/** Puts text where the template names it, once. No character of the text has a meaning here. */
const filled = (template, parts) =>
  Object.entries(parts).reduce((page, [name, text]) => {
    const place = `<!--${name}-->`;
    if (page.split(place).length !== 2) throw new Error(`the template has not one ${place}`);
    return page.split(place).join(text);
  }, template);

const escaped = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.codePointAt(0)};`);

const LINKS = (up) =>
  `<link rel="icon" href="data:,"><link rel="stylesheet" href="${up}pages.css">`;

/** The page of /docs/verify: its script and its style stand beside it. */
const verifyPage = (template) =>
  filled(template, {
    head: `<title>Verify a record</title>${LINKS('')}`,
    title: 'Verify a record',
    export: '',
    script: '<script src="verify-page.js"></script>',
  });

/** The same page in one file, for an export to be put into it. It may do nothing but run this script. */
const evidencePage = async (template, script, pagesStyle) => {
  const { code } = await transform(pagesStyle, { loader: 'css', minify: true, target: 'es2022' });
  const style = code.trim();
  if (/<!--|<\/(script|style)/i.test(script + style))
    throw new Error('a script would end too early');
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${sha256(script, 'base64')}'`,
    `style-src 'sha256-${sha256(style, 'base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // The page is sent along with every record, so the indentation of the template stays out.
  return filled(template.replace(/\n\s+/g, '\n'), {
    head: `<meta http-equiv="Content-Security-Policy" content="${policy}"><title>A notarized record</title><link rel="icon" href="data:,"><style>${style}</style>`,
    title: 'A notarized record',
    export: '<!--export-->',
    script: `<script>${script}</script>`,
  });
};

/** Guides are Markdown in docs/guides: each a page, and all of them a list. */
const writeGuides = async () => {
  const names = (await readdir(join(root, 'docs', 'guides')))
    .filter((name) => name.endsWith('.md'))
    .toSorted();
  const guides = await Promise.all(
    names.map(async (name) => guideOf(name, await source('docs', 'guides', name))),
  );
  const shown = guides.toSorted((one, other) => placeOf(one) - placeOf(other));
  await rm(join(out, 'guides'), { recursive: true, force: true });
  await mkdir(join(out, 'guides'), { recursive: true });
  for (const { name, title, html } of guides)
    await writeFile(join(out, 'guides', `${name}.html`), frame(title, html, '../'));
  const links = shown
    .map(({ name, title, lead }) => `<li><a href="/docs/guides/${name}">${title}</a>: ${lead}</li>`)
    .join('\n');
  await writeFile(join(out, 'index.html'), frame('Documentation', indexHtml(links), '/docs/'));
  // What the running service fills: pages of the reference, and what was found.
  await writeFile(join(out, 'frame.html'), frame('<!--title-->', '<!--main-->', '/docs/'));
  await writeFile(join(out, 'guides.json'), JSON.stringify(shown.flatMap(({ parts }) => parts)));
  await writeFile(join(out, 'llms.txt'), llmsIndex(shown));
  await writeFile(
    join(out, 'llms-full.txt'),
    shown.map(({ markdown }) => markdown.trim()).join('\n\n---\n\n') + '\n',
  );
};

/** Guides for beginners come first, the others by name. */
const FIRST = ['quick-start', 'ten-minutes', 'concepts', 'errors'];
const placeOf = ({ name }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

/** By the convention of llmstxt.org: a title, a sentence, lists of links. */
const llmsIndex = (guides) => `# Notary Service

> A self-hosted cryptographic notary for automated work: it records what agents are authorized to do, what they deliver and what was decided, in signed chains that anyone can verify offline.

Every call under /v1 takes an API key as \`Authorization: Bearer <API_KEY>\`. Answers carry \`nextSteps\`, refusals are problem documents (RFC 9457) with a suggestion.

## Guides

${guides.map(({ name, plainTitle, plainLead }) => `- [${plainTitle}](/docs/guides/${name}): ${plainLead}`).join('\n')}

## Reference

- [OpenAPI 3.1](/docs/openapi.json): every operation, its input and its answers
- [Reference](/docs/reference): the same as pages
- [Lifecycle](/lifecycle): the states of a record and who may move it, as data

## Optional

- [All guides in one file](/llms-full.txt)
- [Problem types](/problems/not-found): each problem has a page at its \`type\`
`;

const guideOf = (file, markdown) => {
  const marked = new Marked({
    async: false,
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
      // Guides link to each other as files, so that they work in the repository as well.
      link({ href, tokens }) {
        const to = href.replace(/^([a-z0-9-]+)\.md(#|$)/, '$1$2');
        return `<a href="${escaped(to)}">${this.parser.parseInline(tokens)}</a>`;
      },
      html({ text }) {
        // Between these two stands what is generated from the code.
        if (/^<!-- \/?generated:[a-z]+ -->\s*$/.test(text)) return '';
        throw new Error(`${file} holds HTML; a guide is Markdown alone`);
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const name = file.slice(0, -'.md'.length);
  const [heading, lead] = tokens.filter(({ type }) => type === 'heading' || type === 'paragraph');
  if (heading?.type !== 'heading' || lead?.type !== 'paragraph')
    throw new Error(`${file} does not begin with a title and a sentence`);
  return {
    name,
    markdown: markdown.replace(/^<!-- \/?generated:[a-z]+ -->\n/gm, ''),
    title: escaped(heading.text),
    plainTitle: heading.text,
    lead: marked.parseInline(lead.text),
    plainLead: lead.text,
    html: marked.parser(tokens),
    parts: partsOf(name, heading.text, tokens),
  };
};

/** What can be found: each section, by its heading. */
const partsOf = (name, place, tokens) => {
  const parts = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const anchor = token.depth === 1 ? '' : `#${anchorOf(token.text)}`;
      parts.push({ href: `/docs/guides/${name}${anchor}`, title: token.text, place, text: '' });
    } else if (token.type !== 'space' && token.type !== 'html')
      parts.at(-1).text +=
        `${parts.at(-1).text === '' ? '' : ' '}${token.raw.trim().replaceAll('*', '')}`;
  }
  return parts;
};

const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const frame = (title, html, up) =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${LINKS(up)}</head>
<body><a class="skip" href="#main">To the text</a>
<nav aria-label="Documentation"><a href="/docs">Documentation</a> · <a href="/docs/reference">Reference</a> · <a href="/docs/search">Search</a> · <a href="/docs/verify">Verify a record</a></nav>
<main id="main">
${html}</main></body>
</html>
`;

const indexHtml = (guides) => `<h1>Documentation</h1>
<form role="search" action="/docs/search" method="get"><label for="q">Words to look for</label>
<input id="q" name="q" type="search" maxlength="200"> <button type="submit">Search</button></form>
<h2>Guides</h2>
<ul>
${guides}
</ul>
<h2>Verify</h2>
<ul>
<li><a href="/docs/verify">Verify a record in this browser</a></li>
<li><a href="/console">The console: what your key may read, verified in this browser</a></li>
<li><a href="/docs/notary-verify.mjs">notary-verify.mjs</a>, the verifier as one file for Node, and <a href="/docs/notary-verify.mjs.sha256">its SHA-256</a></li>
<li><a href="/v1/verification-keys">The keys of this service</a></li>
</ul>
<h2>Reference</h2>
<ul>
<li><a href="/docs/reference">Every operation, as pages</a></li>
<li><a href="/docs/openapi.json">The interface as an OpenAPI 3.1 document</a>, <a href="/docs/openapi.yaml">in YAML</a></li>
<li><a href="/lifecycle?format=svg">The lifecycle of a record</a></li>
</ul>
`;

/**
 * The console: its page, its style with that of the other pages and of the plots, and a script for each part that is
 * loaded at a time of its own.
 */
const writeConsole = async (style) => {
  const folder = ['adapters', 'console', 'pages'];
  const [page, own, plots] = [
    await source(...folder, 'console.html'),
    await source(...folder, 'console.css'),
    await source('node_modules', 'uplot', 'dist', 'uPlot.min.css'),
  ];
  await writeFile(join(out, 'console.html'), page);
  await writeFile(join(out, 'console.css'), [style, plots.trim(), own].join('\n'));
  for (const [name, entry] of [
    ['console.js', 'main.tsx'],
    ['console-verifier.js', 'verifier.ts'],
    ['console-plots.js', 'plots.ts'],
  ])
    await writeFile(join(out, name), await bundled(`adapters/console/${entry}`, 'browser', 'esm'));
};

await mkdir(out, { recursive: true });
for (const [name, entry] of PROGRAMS) {
  const bytes = await bundled(entry, 'node');
  await writeFile(join(out, name), bytes);
  await writeFile(join(out, `${name}.sha256`), `${sha256(bytes, 'hex')}  ${name}\n`);
}
const pages = ['adapters', 'docs', 'pages'];
const [template, style] = [
  await source(...pages, 'verify.html'),
  await source(...pages, 'pages.css'),
];
const script = Buffer.from(
  await bundled('adapters/docs/browser/verify-page.ts', 'browser'),
).toString();
await writeFile(join(out, 'verify-page.js'), script);
await writeFile(join(out, 'pages.css'), style);
await writeFile(join(out, 'verify.html'), verifyPage(template));
await writeFile(join(out, 'evidence.html'), await evidencePage(template, script, style));
await writeConsole(style);
await writeGuides();
