import { bytesEqual } from '../../domain/kernel/digest.ts';
import { NewestEntries } from '../../domain/kernel/newest-entries.ts';
import type { Checkpoint } from '../../domain/vault/checkpoint.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';

const MAX_CHECKPOINTS = 20_000;

/** The checkpoints that this process signed, as many of the newest as fit: they need no signature check. */
export class OwnCheckpoints {
  private readonly known = new NewestEntries<string, Checkpoint & { readonly leaf: Uint8Array }>(
    MAX_CHECKPOINTS,
  );

  /** One whose unit of work was rolled back does no harm: no stored row will ever have its bytes. */
  remember(checkpoint: Checkpoint): void {
    const leaf = leafHash(checkpoint.coseSign1);
    this.known.set(checkpoint.id, { ...checkpoint, leaf });
  }

  /** Whether the row is exactly the one that was written. */
  has(row: Checkpoint, leaf: Uint8Array): boolean {
    const own = this.known.get(row.id);
    return (
      own !== undefined &&
      bytesEqual(own.leaf, leaf) &&
      bytesEqual(own.headHash, row.headHash) &&
      COLUMNS.every((column) => own[column] === row[column])
    );
  }
}

const COLUMNS = [
  'logIndex',
  'chainKey',
  'chainKind',
  'position',
  'signingKeyId',
  'createdAt',
] as const satisfies readonly (keyof Checkpoint)[];
