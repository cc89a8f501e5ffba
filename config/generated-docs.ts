import { ACTION_OPERATIONS } from '../application/record/guidance-view.ts';
import { ACTIONS, type Action } from '../domain/record/actions.ts';
import { LIFECYCLE } from '../domain/record/lifecycle.ts';
import { mermaidOf } from '../domain/record/lifecycle-diagram.ts';
import { columnTable } from './column-docs.ts';
import { errorTable } from './error-docs.ts';
import { ocsfTable } from './ocsf-docs.ts';
import { profileTable, scopeTable } from './scope-docs.ts';
import { describeSettings, type SettingDescription } from './settings-view.ts';

/**
 * A part of a document that is generated from the code. It stands between `<!-- generated:NAME -->`
 * and `<!-- /generated:NAME -->`.
 */
export interface GeneratedPart {
  readonly file: string;
  readonly name: string;
  content(): string;
}

export const GENERATED_PARTS: readonly GeneratedPart[] = [
  { file: 'README.md', name: 'settings', content: () => settingsTable(describeSettings()) },
  { file: 'README.md', name: 'profiles', content: profileTable },
  { file: 'README.md', name: 'scopes', content: scopeTable },
  { file: 'SECURITY.md', name: 'columns', content: columnTable },
  { file: 'docs/guides/siem.md', name: 'ocsf', content: ocsfTable },
  { file: 'docs/guides/errors.md', name: 'errors', content: errorTable },
  { file: 'README.md', name: 'lifecycle', content: () => lifecyclePicture() },
  {
    file: 'ARCHITECTURE.md',
    name: 'lifecycle',
    content: () => `${lifecyclePicture()}\n\n${actionsWithoutRoute()}`,
  },
];

/** @throws Error where the document has no such part. */
export const withGenerated = (document: string, part: GeneratedPart): string => {
  const [begin, end] = [`<!-- generated:${part.name} -->`, `<!-- /generated:${part.name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${part.file} has no ${begin} ... ${end}`);
  return `${document.slice(0, from + begin.length)}\n${part.content()}\n${document.slice(to)}`;
};

const lifecyclePicture = (): string => `\`\`\`mermaid\n${mermaidOf(LIFECYCLE)}\n\`\`\``;

const settingsTable = (settings: readonly SettingDescription[]): string =>
  [
    '| setting | default | takes | meaning |',
    '|---|---|---|---|',
    ...settings.map(
      (setting) =>
        `| \`${setting.name}\` | ${defaultOf(setting)} | ${takenBy(setting)} | ${cell(setting.description)}${setting.secret ? '. Secret' : ''} |`,
    ),
  ].join('\n');

/** The default as a value, or described in words. */
const defaultOf = (setting: SettingDescription): string =>
  setting.default.includes(' ') ? cell(setting.default) : `\`${setting.default}\``;

const takenBy = ({ allowed, unit }: SettingDescription): string =>
  cell(unit === null ? allowed : `${allowed} (${unit})`);

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** `create` has its own routes, and only the service itself performs `expire`. */
const actionsWithoutRoute = (): string => {
  const routed = new Set<string>(['create', 'expire', ...Object.keys(ACTION_OPERATIONS)]);
  const later = ACTIONS.filter((action: Action) => !routed.has(action));
  return later.length === 0
    ? 'Every action of the table has a route.'
    : `In the table, and without a route in this release: ${later.map((action) => `\`${action}\``).join(', ')}.`;
};
