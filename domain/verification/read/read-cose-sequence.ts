import { CborError, plainItemLength, type CborValue } from '../../kernel/deterministic-cbor.ts';
import { decodeSign1, encodeSign1 } from '../../vault/cose-sign1.ts';

const TAG_18 = 0xd2;

/** Label of receipts in the unprotected header (RFC 9942). */
const RECEIPTS = 394;

/** One structure of a sequence, as it was hashed: without the receipts that stand beside it. */
export interface SequenceItem {
  readonly coseSign1: Uint8Array;
  /** Null where label 394 is not there; empty where it holds anything but receipts. */
  readonly receipts: readonly Uint8Array[] | null;
}

/** Whether the bytes begin as a sequence of COSE_Sign1 does; no text begins so. */
export const isCoseSequence = (input: Uint8Array | string): input is Uint8Array =>
  typeof input !== 'string' && input[0] === TAG_18;

/**
 * The structures of a CBOR sequence (RFC 8742) of tagged COSE_Sign1. Of the unprotected header label 394 is taken off, where
 * it stands alone; anything else in it is left for whoever checks the structure.
 *
 * @throws CborError where the bytes are no such sequence.
 */
export function* sequenceItems(bytes: Uint8Array): Generator<SequenceItem> {
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== TAG_18) throw new CborError(`at byte ${at} stands no COSE_Sign1 (tag 18)`);
    const end = at + 1 + plainItemLength(bytes.subarray(at + 1));
    yield withoutReceipts(bytes.subarray(at, end));
    at = end;
  }
}

const withoutReceipts = (bytes: Uint8Array): SequenceItem => {
  const { unprotected, protectedBytes, payload, signature } = decodeSign1(bytes);
  return unprotected.size === 1 && unprotected.has(RECEIPTS)
    ? {
        coseSign1: encodeSign1(protectedBytes, payload, signature),
        receipts: receiptsIn(unprotected.get(RECEIPTS)),
      }
    : { coseSign1: bytes, receipts: null };
};

const receiptsIn = (value: CborValue | undefined): readonly Uint8Array[] => {
  const list = Array.isArray(value) ? (value as readonly CborValue[]) : [];
  const receipts = list.filter((one) => one instanceof Uint8Array);
  return receipts.length === list.length ? receipts : [];
};
