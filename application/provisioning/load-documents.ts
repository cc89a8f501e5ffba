import { NotaryError } from '../../domain/kernel/errors.ts';
import type { InputCheck, PartCheck } from '../call/input-check.port.ts';
import { DOCUMENTS, type Documents } from './documents.ts';
import { KINDS, NO_ORG, type Kind } from '../ports/kinds.ts';
import type { FileFault, ReadFile, ReadFolder } from './provisioning-files.port.ts';
import { secretForm, secretMember } from './secret-in-document.ts';

/** A document that its schema takes, under its natural key. */
export interface Item<K extends Kind = Kind> {
  readonly kind: K;
  readonly file: string;
  readonly sha256: string;
  /** NO_ORG where it belongs to none. */
  readonly orgSlug: string;
  readonly name: string;
  readonly document: Documents[K];
}

export interface Loaded {
  /** Every item of a kind after those that it may build on; those of one kind by their natural keys. */
  readonly items: readonly Item[];
  readonly faults: readonly FileFault[];
  /** Natural keys that files name, also where two files name the same one and neither counts. */
  readonly named: ReadonlySet<string>;
  /** The kinds that have a folder. */
  readonly kinds: ReadonlySet<Kind>;
  /** Those of them in which every file has a natural key: what none of them names is in no file. */
  readonly complete: ReadonlySet<Kind>;
}

/** So many files are looked at in one turn. */
const TOGETHER = 32;
/** Where there are more faults than anybody reads, one of each further file is kept. */
const MANY_FAULTS = 10_000;
/** So many of the files that name the same are named. */
const NAMED = 5;

export const naturalKey = (kind: Kind, orgSlug: string, name: string): string =>
  `${kind} ${orgSlug} ${name}`;

/** Tells which files hold what their kind asks for. The order in which they were read does not matter. */
export class LoadDocuments {
  private readonly checks: ReadonlyMap<Kind, PartCheck>;

  constructor(inputs: InputCheck) {
    this.checks = new Map(
      KINDS.map((kind) => [
        kind,
        inputs.prepare({
          noun: 'The document',
          memberNoun: 'member',
          schema: DOCUMENTS[kind],
          hasHelp: false,
        }),
      ]),
    );
  }

  async load(folder: ReadFolder): Promise<Loaded> {
    const faults: FileFault[] = folder.faults.map(({ file, pointer, message }) => ({
      file,
      pointer,
      message,
    }));
    const broken = new Set(folder.faults.map(({ kind }) => kind));
    const groups = new Map<string, Item[]>();
    for (const [at, read] of folder.files.entries()) {
      // Others have their turn: a folder may hold thousands of files.
      if (at % TOGETHER === TOGETHER - 1) await new Promise(setImmediate);
      const found = this.item(read);
      if ('faults' in found) {
        faults.push(...(faults.length < MANY_FAULTS ? found.faults : found.faults.slice(0, 1)));
        broken.add(read.kind);
        continue;
      }
      const key = naturalKey(found.kind, found.orgSlug, found.name);
      const group = groups.get(key);
      if (group) group.push(found);
      else groups.set(key, [found]);
    }
    for (const group of groups.values()) if (group.length > 1) faults.push(...doubled(group));
    const items = [...groups.values()].flatMap((group) => (group.length === 1 ? group : []));
    return {
      items: items.sort(byNaturalKey),
      faults,
      named: new Set(groups.keys()),
      kinds: folder.kinds,
      complete: new Set([...folder.kinds].filter((kind) => !broken.has(kind))),
    };
  }

  private item(read: ReadFile): Item | { readonly faults: readonly FileFault[] } {
    const { file, kind, sha256, value } = read;
    const fault = (pointer: string, message: string) => ({ faults: [{ file, pointer, message }] });
    const form = secretForm(JSON.stringify(value));
    if (form !== null)
      return fault(
        '',
        `holds ${form}. Secrets never stand in these files: the service makes them and writes each into PROVISIONING_SECRETS_DIR once. Take it out, and regard it as known.`,
      );
    const member = secretMember(kind, value);
    if (member !== null)
      return fault(
        member,
        'is a member for a secret. Secrets never stand in these files: the service makes them and writes each into PROVISIONING_SECRETS_DIR once.',
      );
    try {
      const { $schema: _, ...document } = this.checks.get(kind)!(value);
      const { slug, org, key } = document as { slug: string; org: string | null; key: string };
      return {
        kind,
        file,
        sha256,
        orgSlug: kind === 'orgs' ? slug : (org ?? NO_ORG),
        name: kind === 'orgs' ? slug : key,
        document: document as Item['document'],
      };
    } catch (error) {
      if (!(error instanceof NotaryError)) throw error;
      return { faults: faultsOf(file, error) };
    }
  }
}

/** Refusals of a schema or an operation, by the place in the document. */
export const faultsOf = (
  file: string,
  error: NotaryError,
  placed: (path: string) => string = (path) => path,
): readonly FileFault[] => {
  const errors = error.members.errors ?? [];
  if (errors.length === 0) return [{ file, pointer: '', message: error.message }];
  return errors.map(({ path, message }) => ({ file, pointer: placed(path), message }));
};

/** Of each file the others are named, as far as a reader follows. */
const doubled = (group: readonly Item[]): readonly FileFault[] => {
  const some = group.slice(0, NAMED + 1).map(({ file }) => file);
  return group.map(({ file, kind }) => {
    const others = some.filter((other) => other !== file).slice(0, NAMED);
    const more = group.length - 1 - others.length;
    return {
      file,
      pointer: kind === 'orgs' ? '/slug' : '/key',
      message: `names the same as ${others.join(', ')}${more > 0 ? ` and ${more} more` : ''}; none of them is applied. Give each its own, or remove all but one.`,
    };
  });
};

const byNaturalKey = (a: Item, b: Item): number =>
  KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
  compare(a.orgSlug, b.orgSlug) ||
  compare(a.name, b.name);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
