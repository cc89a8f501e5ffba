import type { JsonObject } from '../../kernel/canonical-json.ts';
import { chainKindOf } from '../../vault/chain-key.ts';
import { isOnChain, predicateKindOf } from '../entry/chain-entry.ts';
import {
  checkKeptStatement,
  readKeptStatement,
  type CheckedStatement,
  type KeptStatement,
} from './kept-statement.ts';
import { fingerprintIn } from '../keys/key-ring.ts';
import { predicateFault } from '../entry/predicate-check.ts';
import { NO_SUBJECT, type Findings } from '../report/report.ts';
import { tellerFor, type Looked, type VerifyOptions } from './reported.ts';
import type { ToldEntries } from '../chain/told-entries.ts';
import { ringOf, sayRetired } from '../keys/trusted-ring.ts';

/** What a signed statement alone shows, and no more. */
export const SIGNED_ONLY = 'signed, not shown to be on a chain';

const NO_KEY =
  'cannot tell: a signed statement holds no key, and a fingerprint is none; give the keys of the hub as a file or URL, or hold the statement against an export';

/** Verifies a signed statement that somebody kept, with nothing beside it but the trusted keys. */
export const verifyKeptStatement = async (
  value: JsonObject,
  options: VerifyOptions,
  findings: Findings,
): Promise<Looked> => {
  const { trust } = options;
  const subject = { ...NO_SUBJECT, kind: 'signed-statement' } as const;
  const kept = readKeptStatement(value, findings);
  if (!kept) return { subject };
  const ring = ringOf(trust);
  if (ring.size === 0) findings.cannotTell('keySuccession', NO_KEY, 'key_needed');
  const checked = await checkKeptStatement(kept, ring, null, findings);
  if (checked) sayRetired(checked.kid, trust, findings);
  if (findings.isClean) findings.note(SIGNED_ONLY);
  const keyIds = checked ? [checked.kid] : [];
  const entries = tellerFor(options);
  if (entries) tell(kept, checked, entries);
  return {
    subject: {
      ...subject,
      chainKey: kept.chainKey,
      entries: 1,
      keyIds,
      hubId: checked?.hubId ?? null,
    },
    story: entries
      ? {
          entries,
          parties: [],
          criteria: null,
          keys: keyIds.map((keyId) => ({ keyId, fingerprint: fingerprintIn(ring, keyId) })),
        }
      : undefined,
  };
};

const tell = (
  { row, chainKey }: KeptStatement,
  checked: CheckedStatement | null,
  entries: ToldEntries,
): void => {
  const { predicate = null, at = null } = checked ?? {};
  const entryType = predicate?.['entryType'];
  const isOfRecord =
    predicate !== null &&
    at !== null &&
    chainKindOf(chainKey) === 'record' &&
    isOnChain('record', entryType ?? null) &&
    predicateFault(predicateKindOf('record', entryType), predicate) === null;
  if (isOfRecord) entries.entry(row.position, predicate);
  else entries.unreadable(row.position);
};
