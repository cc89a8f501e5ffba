/** Text as HTML: nothing in it is markup. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`);

/** Text of the interface: what stands between backticks is code, an empty line begins a paragraph. */
export const prose = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');

export const inline = (text: string): string =>
  escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

export const code = (text: string): string => `<code>${escaped(text)}</code>`;

/** A block that scrolls by itself, so it takes the focus of a keyboard. */
export const codeBlock = (text: string): string =>
  `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;

/** As the last part of a path, or after #. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** A table with a heading above each column, which scrolls by itself where it is wide; nothing where there is no row. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<table tabindex="0">
<thead><tr>${headings.map((heading) => `<th scope="col">${escaped(heading)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}
</tbody></table>`;
