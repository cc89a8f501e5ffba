import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Every import of the product, and the table of ARCHITECTURE.md that says which of them may be. */
interface Import {
  readonly from: string;
  /** A path in the repository, or the name of a package. */
  readonly to: string;
  readonly isPackage: boolean;
}

const ROOMS = ['domain', 'application', 'adapters', 'config'] as const;
const PURE_PACKAGES = ['canonicalize', 'cbor-x', '@noble/hashes', '@noble/curves', 'ipaddr.js'];
/** Adapters that drive the core, there or to come; the others are driven by it. */
const DRIVING = [
  'http',
  'rest',
  'a2a',
  'grpc',
  'mcp',
  'federation',
  'jobs',
  'cli',
  'docs',
  'console',
];
/** What a driving adapter may import of another one, besides the HTTP base. */
const CLIENT_USERS = ['docs', 'cli', 'console'];
/** Run in a browser as well. */
const PORTABLE = ['client', 'console'];

const sources = ROOMS.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(room, file)),
);
const imports: readonly Import[] = sources.flatMap((from) =>
  [
    ...readFileSync(from, 'utf8').matchAll(
      /(?:^|\n)\s*(?:import|export)\s(?:[^;'"]*?\sfrom\s)?['"]([^'"]+)['"]/g,
    ),
  ].map(([, specifier]) => {
    const isPackage = !specifier!.startsWith('.');
    return {
      from,
      to: isPackage ? packageOf(specifier!) : normalize(join(dirname(from), specifier!)),
      isPackage,
    };
  }),
);

function packageOf(specifier: string): string {
  return specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
}

/**
 * What of config reads files: the settings, which are `NAME_FILE` and `.env` as much as the environment, and the tool
 * that writes the documents, which is no part of the service.
 */
const READS_FILES = ['config/settings.ts', 'config/generate-docs.ts'];

/** The folders of a folder in their order: each imports only those before it. `.` stands for its own files. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  domain: [
    'kernel',
    'vault',
    'identity',
    'record-type',
    'record',
    'event',
    'delivery',
    'dispute',
    'transparency',
    'verification',
    'federation',
    'reputation',
    'siem',
  ],
  application: [
    'ports',
    'egress',
    'call',
    'sealing',
    'limits',
    'event',
    'transparency',
    'record-type',
    'sharing',
    'record',
    'dispute',
    'reputation',
    'identity',
    'federation',
    'delivery',
    'vault',
    'audit',
    'compliance',
    'siem',
    'provisioning',
    'config-import',
    'operations',
  ],
  'domain/verification': [
    'report',
    'entry',
    'keys',
    'co-signature',
    'chain',
    'platform',
    'read',
    'federation',
    'log',
    'story',
    'formats',
    '.',
    'dump',
  ],
  'domain/verification/dump': ['registry', 'rows', '.'],
  'domain/verification/chain': ['rules', '.'],
  'adapters/sql': [
    'base',
    'schema',
    'tables',
    'listing',
    'vault',
    'records',
    'record-types',
    'identity',
    'events',
    'transparency',
    'delivery',
    'federation',
    'audit',
    'idempotency',
    'commit',
    'sqlite',
    'mysql',
    'database',
    'scan',
    'upkeep',
    '.',
    'demo',
  ],
  'adapters/sql/base': ['packing', '.'],
};

/** Rooms that are divided by noun. */
const ROOMS_BY_NOUN = ['domain/verification', 'adapters/sql'] as const;

const roomOf = (file: string): string => file.split('/')[0]!;
const adapterOf = (file: string): string => file.split('/')[1]!;
const offences = (is: (one: Import) => boolean): readonly string[] =>
  imports.filter(is).map(({ from, to }) => `${from} → ${to}`);

describe('the arrows of the house', () => {
  it('sees the imports at all', () => {
    expect(imports.length).toBeGreaterThan(300);
    expect(imports.filter(({ to }) => to === 'domain/record/lifecycle.ts').length).toBeGreaterThan(
      3,
    );
  });

  it('domain imports only domain and pure libraries', () => {
    expect(
      offences(
        ({ from, to, isPackage }) =>
          roomOf(from) === 'domain' &&
          (isPackage ? !PURE_PACKAGES.includes(to) : roomOf(to) !== 'domain'),
      ),
    ).toEqual([]);
  });

  it('application imports only domain and application, and typebox for schemas as data', () => {
    expect(
      offences(
        ({ from, to, isPackage }) =>
          roomOf(from) === 'application' &&
          (isPackage ? to !== 'typebox' : !['domain', 'application'].includes(roomOf(to))),
      ),
    ).toEqual([]);
  });

  it('adapters import neither config nor the tests', () => {
    expect(
      offences(
        ({ from, to, isPackage }) =>
          roomOf(from) === 'adapters' &&
          !isPackage &&
          !['domain', 'application', 'adapters'].includes(roomOf(to)),
      ),
    ).toEqual([]);
  });

  it('adapters do not import each other, but for the HTTP base and the client', () => {
    expect(
      offences(
        ({ from, to }) =>
          roomOf(from) === 'adapters' &&
          roomOf(to) === 'adapters' &&
          adapterOf(from) !== adapterOf(to) &&
          !(adapterOf(to) === 'http' && DRIVING.includes(adapterOf(from))) &&
          !(adapterOf(to) === 'client' && CLIENT_USERS.includes(adapterOf(from))) &&
          // The console shows a record as the page of the verifier does.
          !(adapterOf(from) === 'console' && to.startsWith('adapters/docs/browser/')),
      ),
    ).toEqual([]);
  });

  it('the client knows the domain alone, and no package', () => {
    expect(imports.some(({ from }) => from === 'adapters/client/verify.ts')).toBe(true);
    expect(
      offences(
        ({ from, to, isPackage }) =>
          roomOf(from) === 'adapters' &&
          adapterOf(from) === 'client' &&
          (isPackage || !/^(domain|adapters\/client)\//.test(to)),
      ),
    ).toEqual([]);
  });

  it('only the documents, the command line, the console and the client know the verifier', () => {
    expect(
      offences(
        ({ from, to }) =>
          roomOf(from) === 'adapters' &&
          to.startsWith('domain/verification/') &&
          ![...CLIENT_USERS, 'client'].includes(adapterOf(from)),
      ),
    ).toEqual([]);
  });

  it('what runs in a browser imports nothing of Node', () => {
    expect(
      offences(
        ({ from, to }) =>
          roomOf(from) === 'adapters' &&
          (PORTABLE.includes(adapterOf(from)) || from.startsWith('adapters/docs/browser/')) &&
          to.startsWith('node:'),
      ),
    ).toEqual([]);
  });

  it('adapters that drive the core reach no store', () => {
    expect(
      offences(
        ({ from, to }) =>
          roomOf(from) === 'adapters' &&
          DRIVING.includes(adapterOf(from)) &&
          /(unit-of-work|-store)\.port\.ts$/.test(to) &&
          !isTypeOfRows(from, to),
      ),
    ).toEqual([]);
  });

  it('only adapters/sql knows the database', () => {
    expect(
      offences(
        ({ from, to }) =>
          ['knex', 'mysql2', '@photostructure/sqlite'].includes(to) &&
          !from.startsWith('adapters/sql/'),
      ),
    ).toEqual([]);
  });

  it('only adapters/http and adapters/rest know h3', () => {
    expect(
      offences(
        ({ from, to }) => ['h3', 'srvx'].includes(to) && !/^adapters\/(http|rest)\//.test(from),
      ),
    ).toEqual([]);
  });

  it('only config wires', () => {
    expect(
      offences(
        ({ from, to }) =>
          ['inversify', 'reflect-metadata'].includes(to) && roomOf(from) !== 'config',
      ),
    ).toEqual([]);
  });

  it('config chooses, and does no I/O nor cryptography itself', () => {
    expect(
      offences(
        ({ from, to }) =>
          roomOf(from) === 'config' &&
          /^(node:)?(fs|crypto|net|tls|http|https|http2|dgram|dns|child_process|worker_threads)(\/|$)/.test(
            to,
          ) &&
          !(to === 'node:fs' && READS_FILES.includes(from)),
      ),
    ).toEqual([]);
  });

  it('only config reads the environment', () => {
    const readers = sources.filter(
      (file) =>
        roomOf(file) !== 'config' &&
        /process\.env(?!\[?['.]?\[?'?(?:PATH|NO_COLOR))/.test(readFileSync(file, 'utf8')),
    );
    expect(readers).toEqual([]);
  });

  it('files of the domain form no cycle, type imports counted', () => {
    expect(edgesAmong('domain', (file) => file).get('domain/record/record-state.ts')).toContain(
      'domain/vault/statement.ts',
    );
    expect(cyclesOf(edgesAmong('domain', (file) => file))).toEqual([]);
  });

  it('files of the application form no cycle, type imports counted', () => {
    expect(cyclesOf(edgesAmong('application', (file) => file))).toEqual([]);
  });

  it('folders of the domain form no cycle, type imports counted', () => {
    const folders = edgesAmong('domain', dirname);
    expect(folders.get('domain/dispute')).toContain('domain/record');
    expect(cyclesOf(folders)).toEqual([]);
  });

  it.each(Object.keys(ORDERS))('%s has the folders of its order, and no other', (folder) => {
    const parts = new Set(sources.flatMap((file) => partOf(folder, file) ?? []));
    expect([...parts].toSorted()).toEqual(ORDERS[folder]!.toSorted());
  });

  it.each(Object.entries(ORDERS))(
    'the folders of %s import only those before them',
    (folder, order) => {
      const back = imports.flatMap(({ from, to }) => {
        const [source, target] = [partOf(folder, from), partOf(folder, to)];
        if (source === null || target === null) return [];
        return order.indexOf(target) > order.indexOf(source) ? [`${from} → ${to}`] : [];
      });
      expect(back).toEqual([]);
    },
  );

  it.each(ROOMS_BY_NOUN)('no folder of %s holds more than 25 files', (room) => {
    const files = new Map<string, number>();
    for (const file of sources)
      if (file.startsWith(`${room}/`))
        files.set(dirname(file), (files.get(dirname(file)) ?? 0) + 1);
    expect([...files].filter(([, count]) => count > 25)).toEqual([]);
  });
});

/** The part of a folder that a file is in: a sub-folder with everything in it, `.` for the files that lie in it directly. */
function partOf(folder: string, file: string): string | null {
  if (!file.startsWith(`${folder}/`)) return null;
  const [first, ...rest] = file.slice(folder.length + 1).split('/');
  return rest.length === 0 ? '.' : first!;
}

/** The shapes of filters and kept answers stand beside the ports; naming them reaches no store. */
function isTypeOfRows(from: string, to: string): boolean {
  return (
    !importsValue(from, to) &&
    !/import type \{[^}]*(Store|Reads|UnitOfWork)\b[^}]*\} from '[^']*\.port\.ts'/.test(
      readFileSync(from, 'utf8'),
    )
  );
}

function importsValue(from: string, to: string): boolean {
  const name = to.split('/').at(-1)!;
  return [...readFileSync(from, 'utf8').matchAll(/import (type )?[^;]*?from '([^']+)'/g)].some(
    ([, type, specifier]) => specifier!.endsWith(name) && !type,
  );
}

/** Who imports whom within a room, by files or by what `nodeOf` makes of them. */
function edgesAmong(
  room: string,
  nodeOf: (file: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, string[]>();
  for (const { from, to, isPackage } of imports) {
    if (isPackage || roomOf(from) !== room || roomOf(to) !== room) continue;
    const [source, target] = [nodeOf(from), nodeOf(to)];
    if (source !== target || from === to) edges.set(source, [...(edges.get(source) ?? []), target]);
  }
  return edges;
}

function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' → '));
    if (done.has(node) || path.includes(node)) return;
    for (const next of edges.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return cycles;
}
