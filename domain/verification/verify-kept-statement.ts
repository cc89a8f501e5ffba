import type { JsonObject } from '../kernel/canonical-json.ts';
import { ALGORITHMS } from '../vault/algorithm.ts';
import { chainKindOf } from '../vault/chain-key.ts';
import { keyIdOf } from '../vault/cose-key.ts';
import { VerifyingKeys } from '../vault/signatures.ts';
import { isOnChain, predicateKindOf } from './chain-entry.ts';
import {
  checkKeptStatement,
  readKeptStatement,
  type CheckedStatement,
  type KeptStatement,
} from './kept-statement.ts';
import { fingerprintIn, type KeyRing } from './key-ring.ts';
import { predicateFault } from './predicate-check.ts';
import { NO_SUBJECT, type Findings } from './report.ts';
import { tellerFor, type Looked, type VerifyOptions } from './reported.ts';
import type { ToldEntries } from './story/told-entries.ts';
import type { Trust } from './trust.ts';

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
  if (ring.size === 0) findings.cannotTell('keySuccession', NO_KEY);
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

/** Nothing can cover what a retired key signed alone: whoever has the key by now may have signed it and dated it back. */
const sayRetired = (keyId: string, trust: Trust, findings: Findings): void => {
  const key = trust.keys.find((candidate) => keyIdOf(candidate) === keyId);
  const known = key && trust.retirementOf(key);
  if (!known) return;
  if (known.reason === 'scheduled')
    findings.note(`signed by the key ${keyId}, which was retired on schedule`);
  else
    findings.cannotTell(
      'keyWindows',
      known.reason === 'compromised'
        ? `cannot tell: signed by the key ${keyId}, which was retired as compromised; whoever has it may have signed this. An export that holds the entry can tell`
        : `cannot tell: signed by the key ${keyId}, which is retired, and the listing does not say why. An export that holds the entry can tell`,
    );
};

/** The trusted keys as if each had been active all the time before: no other key statement is here that says otherwise. */
const ringOf = ({ keys, retirementOf }: Trust): KeyRing => {
  const verifying = new VerifyingKeys();
  return new Map(
    keys.map((key) => {
      const known = verifying.of(key);
      return [
        known.keyId,
        {
          keyId: known.keyId,
          verifying: known,
          alg: ALGORITHMS[key.algorithm].cose,
          activatedAt: '',
          retiredAt: retirementOf(key)?.at ?? null,
          retirement: null,
          reached: true,
        },
      ];
    }),
  );
};
