import { sha256, toHex } from '../../domain/kernel/digest.ts';
import { KnownDigests } from '../../domain/kernel/known-digests.ts';
import type { Checkpoint } from '../../domain/vault/checkpoint.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';

/** 4 MB. */
const MAX_CHECKPOINTS = 131_072;

/** The checkpoints that this process signed, as many of the newest as fit: they need no signature check. */
export class OwnCheckpoints {
  private readonly known = new KnownDigests(MAX_CHECKPOINTS);

  /** One whose unit of work was rolled back does no harm: its signature holds as well. */
  remember(checkpoint: Checkpoint): void {
    this.known.add(digestOf(checkpoint, leafHash(checkpoint.coseSign1)));
  }

  /** Whether the row is exactly the one that was written. @param leaf the hash of its stored bytes. */
  has(row: Checkpoint, leaf: Uint8Array): boolean {
    return this.known.has(digestOf(row, leaf));
  }
}

/** Over every column. */
const digestOf = (
  { id, logIndex, chainKey, chainKind, position, headHash, signingKeyId, createdAt }: Checkpoint,
  leaf: Uint8Array,
): Uint8Array =>
  sha256(
    utf8.encode(
      `${id}/${logIndex}/${chainKey}/${chainKind}/${position}/${toHex(headHash)}/${signingKeyId}/${createdAt}/${toHex(leaf)}`,
    ),
  );

const utf8 = new TextEncoder();
