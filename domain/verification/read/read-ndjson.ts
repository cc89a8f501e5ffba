import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { parseStrictJson, StrictJsonError } from '../../kernel/strict-json.ts';
import type { Findings } from '../report/report.ts';

/** The lines of an export that belong to one record, in their order, and where each stands in the JSON form. */
const OF_RECORD = [
  'header',
  'manifest',
  'party',
  'entry',
  'retirement',
  'acknowledgement',
  'checkpoint',
  'log',
  'federation',
];
/** Those that follow once, after all records. */
const OF_ALL = ['key', 'keyStatement', 'guide'];
const ORDER: ReadonlyMap<JsonValue | undefined, number> = new Map(
  [...OF_RECORD, ...OF_ALL].map((kind, index) => [kind, index]),
);

/** Whether the text is an export as NDJSON: the service writes its header first, and `kind` first of all. */
export const isNdjsonExport = (text: string): boolean => text.startsWith('{"kind":"header"');

/**
 * Puts an export together whose parts stand a line each: the JSON form of it, which is read and verified as any other.
 * What one line holds is not looked at here. Null where it cannot be put together, which is reported.
 */
export const readNdjson = (
  text: string,
  maxDepth: number,
  findings: Findings,
): JsonObject | null => {
  const fault = (line: number, detail: string): null => {
    findings.fail(
      'document',
      'document',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: null, position: null },
      `line ${line}: ${detail}`,
    );
    return null;
  };
  const parts = new Parts();
  let last = 0;
  for (const [index, line] of linesOf(text).entries()) {
    const value = parsed(line, maxDepth);
    if (value instanceof StrictJsonError) {
      const isCut = index + 1 === linesOf(text).length && !text.endsWith('\n') && !parts.isWhole;
      if (isCut) break;
      return fault(index + 1, value.message);
    }
    const order = isObject(value) ? ORDER.get(value['kind']) : undefined;
    if (order === undefined) return fault(index + 1, 'it is none of the kinds of an export');
    const startsRecord = order === 0 && last < OF_RECORD.length;
    if (order < last && !startsRecord)
      return fault(index + 1, 'it stands after lines that it has to come before');
    last = order;
    const problem = parts.add(value as JsonObject);
    if (problem !== null) return fault(index + 1, problem);
  }
  if (parts.isWhole) return parts.document();
  findings.cannotTell(
    'document',
    'cannot tell: the file ends before its last line, of the kind "guide"; fetch it again',
    'unreadable',
  );
  return null;
};

const linesOf = (text: string): readonly string[] =>
  (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');

const parsed = (line: string, maxDepth: number): JsonValue | StrictJsonError => {
  try {
    return parseStrictJson(line, { maxDepth });
  } catch (error) {
    if (error instanceof StrictJsonError) return error;
    throw error;
  }
};

type Members = { [member: string]: JsonValue };

/** The parts of an export, gathered line by line. */
class Parts {
  private readonly common: Members = {};
  private readonly records: Members[] = [];
  private readonly keys: JsonObject[] = [];
  private readonly keyStatements: JsonObject[] = [];
  private guide: JsonObject | null = null;

  get isWhole(): boolean {
    return this.guide !== null;
  }

  /** @returns what is wrong with the line; null where nothing is. */
  add({ kind, ...members }: JsonObject): string | null {
    if (kind === 'header') return this.begin(members);
    if (kind === 'key') this.keys.push(members);
    else if (kind === 'keyStatement') this.keyStatements.push(members);
    else if (kind !== 'guide') return this.addToRecord(String(kind), members);
    else if (this.guide) return 'the guide stands twice';
    else this.guide = members;
    return null;
  }

  document(): JsonObject {
    const { common, records, keys, keyStatements } = this;
    const rest = { keys, keyStatements, verificationGuide: this.guide };
    return Object.hasOwn(common, 'omitted')
      ? { ...common, records, ...rest }
      : { ...common, ...records[0], ...rest };
  }

  private begin({ record, chain, ...common }: JsonObject): string | null {
    if (!isObject(chain) || record === undefined) return 'the header holds no record or no chain';
    const hidden = Object.keys(common).find((member) => !HEADER.has(member));
    if (hidden !== undefined) return `the header holds ${JSON.stringify(hidden).slice(0, 80)}`;
    if (Object.hasOwn(chain, 'entries')) return 'the header holds entries';
    if (this.records.length === 0) Object.assign(this.common, common);
    else if (Object.keys(common).length > 0 || !Object.hasOwn(this.common, 'omitted'))
      return 'a second header stands here';
    const entries: JsonValue[] = [];
    this.records.push({
      record,
      parties: [],
      chain: { ...chain, entries },
      retirements: [],
      acknowledgements: [],
      checkpoint: null,
      checkpoints: [],
      log: null,
      federation: null,
    });
    return null;
  }

  private addToRecord(kind: string, members: JsonObject): string | null {
    const record = this.records.at(-1);
    if (!record) return 'it stands before the header';
    if (kind === 'manifest') {
      const { manifest, ...more } = members;
      if (manifest === undefined || Object.keys(more).length > 0 || Object.hasOwn(record, kind))
        return 'a manifest stands alone in its line, and once';
      record[kind] = manifest;
    } else if (kind === 'log' || kind === 'federation') {
      if (record[kind] !== null) return `the ${kind} stands twice`;
      record[kind] = members;
    } else if (kind === 'checkpoint') {
      const { closing, ...checkpoint } = members;
      if (closing === false) listIn(record, 'checkpoints').push(checkpoint);
      else if (closing !== true || record[kind] !== null)
        return 'one checkpoint is the closing one, and each says whether it is';
      else record[kind] = checkpoint;
    } else
      listIn(kind === 'entry' ? (record['chain'] as Members) : record, LISTS[kind] ?? kind).push(
        members,
      );
    return null;
  }
}

const HEADER: ReadonlySet<string> = new Set([
  'formatVersion',
  'canonicalization',
  'exportedAt',
  'service',
  'omitted',
]);

/** Where the lines of a kind stand as a list. */
const LISTS: { readonly [kind: string]: string } = {
  party: 'parties',
  entry: 'entries',
  retirement: 'retirements',
  acknowledgement: 'acknowledgements',
};

const listIn = (holder: Members, name: string): JsonValue[] => holder[name] as JsonValue[];
