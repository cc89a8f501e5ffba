import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Commands } from '../../adapters/cli/program.ts';
import { createProgram } from '../../adapters/cli/program.ts';
import { GENERATED_PARTS, withGenerated } from '../../config/generated-docs.ts';
import { loadSettings } from '../../config/settings.ts';
import { SETTINGS } from '../../config/settings-table.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { ERROR_CATALOGUE } from '../../domain/kernel/errors.ts';

/** What the documents say, held against what is there. */
const FILES = [
  'README.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`),
];
const documents = FILES.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const readme = documents[0]!.text;

const found = (pattern: RegExp): readonly { readonly file: string; readonly word: string }[] =>
  documents.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(([, word]) => ({ file, word: word! })),
  );

/** As GitHub makes it of a heading. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

/** Pages that the service serves. */
const PROBLEMS = new Set(Object.values(ERROR_CATALOGUE).map(({ slug }) => `/problems/${slug}`));

const isBroken = (file: string, link: string): boolean => {
  const [path, anchor] = link.split('#') as [string, string | undefined];
  const target = path === '' ? file : join(dirname(file), path);
  return (
    !existsSync(target) ||
    (anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor))
  );
};

describe('the documents', () => {
  it('link to nothing that is not there', () => {
    const links = found(/\]\(([^)\s]+)\)/g).filter(
      ({ word }) => !/^https?:/.test(word) && !PROBLEMS.has(word),
    );
    expect(links.length).toBeGreaterThan(30);
    expect(links.filter(({ file, word }) => isBroken(file, word))).toEqual([]);
  });

  it('name no file of a source folder that is not there', () => {
    const paths = found(/`((?:domain|application|adapters|config|test)\/[\w./-]+)`/g);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter(({ word }) => !existsSync(word))).toEqual([]);
  });

  it('name every setting, and no other', () => {
    const rows = [
      ...readme
        .slice(readme.indexOf('<!-- generated:settings -->'))
        .matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|/gm),
    ].map(([, name]) => name);
    expect(rows).toEqual(Object.keys(SETTINGS));
    const known = new Set([
      ...Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]),
      ...OUTSIDE,
    ]);
    expect(
      found(/(?:^export |`|^)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?==| |`)/gm).filter(
        ({ word }) =>
          !known.has(word) &&
          /_(URL|FILE|DIR|KEY|KEK|PEPPER|PROXIES|ORIGINS|SECONDS|MS|MYSQL|BUILD)$/.test(word),
      ),
    ).toEqual([]);
  });

  it('name no npm script that is not there, and explain each that is', () => {
    const named = found(/npm (?:run (?:--silent )?)?([a-z][a-z0-9:]*)(?![\w-])/g).filter(
      ({ word }) => !['ci', 'run', 'install', 'pack'].includes(word),
    );
    expect(named.filter(({ word }) => !(word in packageJson.scripts))).toEqual([]);
    expect(
      Object.keys(packageJson.scripts).filter(
        (script) => script !== 'prepare' && !named.some(({ word }) => word === script),
      ),
    ).toEqual([]);
  });

  it('name no command of notary that is not there, and every one that is', async () => {
    const commands = await commandsOfNotary();
    expect(commands).toContain('verify');
    const named = found(/(?:npx |`)notary ([a-z][a-z-]*)/g);
    expect(named.filter(({ word }) => !commands.includes(word))).toEqual([]);
    expect(commands.filter((command) => !named.some(({ word }) => word === command))).toEqual([]);
  });

  it('hold no path of one machine, and no host of a registry', () => {
    expect(
      found(/((?<![\w.:/-])\/(?:home|root|work|Users|tmp|var|opt|mnt|srv)\/[^\s`)]*)/g),
    ).toEqual([]);
    expect(found(/((?:registry|npm|artifactory|nexus)\.[a-z0-9.-]+\.[a-z]+)/gi)).toEqual([]);
  });

  it('are in step with the code where they are made from it', () => {
    for (const part of GENERATED_PARTS) {
      const { text } = documents.find(({ file }) => file === part.file)!;
      expect(withGenerated(text, part), `${part.file}: run npm run docs`).toBe(text);
    }
  });
});

describe('.env.example', () => {
  const example = readFileSync('.env.example', 'utf8');
  const read = (text: string) =>
    loadSettings({}, { cwd: '/nowhere', readFile: (file) => (file.endsWith('.env') ? text : '') });

  it('is a configuration that starts, without a warning', () => {
    const { settings, warnings } = read(example);
    expect(warnings).toEqual([]);
    expect(settings.API_KEY_DEFAULT_LIFETIME_SECONDS).toBe(7_776_000);
  });

  it('names only settings, those that are commented out included', () => {
    const names = [...example.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !(name in SETTINGS))).toEqual([]);
  });
});

/** Variables of the tests and of the tour, and the pattern that stands for a setting. */
const OUTSIDE = [
  'TEST_MYSQL_URL',
  'TEST_MYSQL_OWN_DIR',
  'NOTARY_TEST_MYSQL',
  'TEST_S3_URL',
  'BENCH_MYSQL_URL',
  'REQUIRE_MYSQL',
  'NOTARY_TEST_BUILD',
  'NOTARY_API_KEY',
  'NAME_FILE',
  'PLATFORM_KEY',
  'ADMIN_KEY',
  'PLANNER_KEY',
  'BUILDER_KEY',
  'AGENT_KEY',
  'NOTARY_URL',
  'NOTARY_API_KEY',
];

/** As the program lists them in its own help. */
const commandsOfNotary = async (): Promise<readonly string[]> => {
  let help = '';
  await createProgram(
    {} as Commands,
    {
      stdout: (text) => void (help += text),
      print: () => Promise.resolve(),
      stderr: () => undefined,
      isTTY: false,
    },
    '0',
  ).run(['--help']);
  return [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');
};
