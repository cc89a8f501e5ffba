import type { JsonObject } from '../kernel/canonical-json.ts';
import { sha256Hex, toHex } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { RecordStatePredicate } from '../record/record-statement.ts';
import type { Manifest } from '../record-type/manifest.ts';
import { algorithmOfCose, ALGORITHMS } from '../vault/algorithm.ts';
import { publicKeyFromSpki } from '../vault/cose-key.ts';
import { readEntry } from '../vault/open-entry.ts';
import { SignatureChecks, VerifyingKeys } from '../vault/signatures.ts';
import type { RingKey } from '../verification/keys/key-ring.ts';
import { Findings } from '../verification/report/report.ts';
import { ChainWalk } from '../verification/chain/verify-chain.ts';
import type { PeerVaultKey } from './peer.ts';

/** One entry of the peer, read from its own bytes. */
export interface PeerEntry {
  readonly bytes: Uint8Array;
  readonly chainKey: string;
  readonly position: number;
  /** Lowercase hex. */
  readonly hash: string;
  readonly previousHash: string;
  readonly kid: string;
  readonly at: string;
  readonly entryType: string;
  readonly predicate: JsonObject;
}

/** What an entry says of its record; the form of it was verified with the chain. */
export const stateOf = ({ predicate }: PeerEntry): RecordStatePredicate =>
  predicate as unknown as RecordStatePredicate;

/** Null where the bytes are no entry of a chain. Nothing of it is verified yet. */
export const readPeerEntry = (bytes: Uint8Array): PeerEntry | null => {
  const opened = readEntry(bytes);
  if (!opened?.header.chain) return null;
  const { header, predicate } = opened;
  const { chainKey, position, previousHash } = opened.header.chain;
  const { at, entryType } = predicate;
  if (typeof at !== 'string' || typeof entryType !== 'string') return null;
  return {
    bytes,
    chainKey,
    position,
    hash: sha256Hex(bytes),
    previousHash: toHex(previousHash),
    kid: header.kid,
    at,
    entryType,
    predicate,
  };
};

export interface PeerChainContext {
  readonly hubId: Uuid;
  /** By key id. */
  readonly keys: ReadonlyMap<string, PeerVaultKey>;
  readonly manifest: Manifest | null;
  /** So many entries from the first one were verified when they came, and kept under a MAC: their signatures are known. */
  readonly known: number;
}

/** Signatures, of which those of entries that are kept here were checked when they came. */
class NewSignatures extends SignatureChecks {
  isKnown = false;

  override submit(...asked: Parameters<SignatureChecks['submit']>): void {
    if (this.isKnown) asked[3]('valid');
    else super.submit(...asked);
  }
}

/**
 * Verifies the peer's chain of a record from its first entry: places, links, signatures, forms, and the lifecycle, by the
 * rules of the offline verifier. So an entry is taken only where an auditor would take it.
 *
 * @returns what is wrong; null where nothing is.
 */
export const peerChainFault = async (
  entries: readonly PeerEntry[],
  { hubId, keys, manifest, known }: PeerChainContext,
): Promise<string | null> => {
  const [first] = entries;
  if (!first) return 'the chain has no entry';
  const misplaced = entries.find(
    ({ position, previousHash }, at) =>
      position !== at + 1 || (at > 0 && previousHash !== entries[at - 1]!.hash),
  );
  // What is no chain costs its receiver no signature.
  if (misplaced)
    return `the entry at position ${misplaced.position} does not follow the one before`;
  const [key] = keys.values();
  if (!key) return 'no key of the peer is known that signed it';
  const findings = new Findings();
  const signatures = new NewSignatures();
  const scope = {
    chainKey: first.chainKey,
    chainKind: 'record' as const,
    area: 'chain' as const,
    hub: { hubId, predicateBase: key.predicateBase },
  };
  // The hub key vouched for the moment when each entry came; so what a retired key signed before counts.
  const cover = new Map(
    [...keys.keys()].map((kid) => [kid, { position: Number.MAX_SAFE_INTEGER }]),
  );
  const walk = new ChainWalk(scope, { ring: ringOf(keys), signatures, findings, manifest, cover });
  for (const [index, entry] of entries.entries()) {
    signatures.isKnown = index < known;
    walk.entry({
      position: entry.position,
      entryType: entry.entryType,
      createdAt: entry.at,
      coseSign1: entry.bytes,
      hash: entry.hash,
      previousHash: entry.previousHash,
    });
    if (signatures.full) await signatures.room();
  }
  await signatures.settled();
  if (findings.isClean) return null;
  const { found, reasons } = findings.take();
  const [worst] = found;
  return worst?.failure.detail ?? [...reasons.keys()][0] ?? 'the chain does not verify';
};

const verifying = new VerifyingKeys();

const ringOf = (keys: ReadonlyMap<string, PeerVaultKey>): ReadonlyMap<string, RingKey> =>
  new Map([...keys].map(([kid, key]) => [kid, ringKey(key)]));

const ringKey = (key: PeerVaultKey): RingKey => ({
  keyId: key.keyId,
  alg: ALGORITHMS[key.algorithm].cose,
  verifying: verifying.of(publicKeyFromSpki(key.publicKey)),
  activatedAt: key.activatedAt,
  retiredAt: key.retiredAt,
  retirement: null,
  reached: true,
  retiredSinceAt: null,
});

/** A key of the peer, imported once. */
export const verifyingKeyOf = (key: PeerVaultKey) => verifying.of(publicKeyFromSpki(key.publicKey));

/** Whether a header names the algorithm of the key. */
export const isOfAlgorithm = (alg: number, key: PeerVaultKey): boolean =>
  algorithmOfCose(alg)?.name === key.algorithm;
