import { createHash } from 'node:crypto';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import { turnOf } from './turn-of.ts';

/** A signature that a run of the unit needed and that was not there. */
export interface Wanted {
  readonly key: string;
  readonly signer: Signer;
  readonly bytes: Uint8Array;
  /** What only one unit of this process may be signing for at a time; null: nothing. */
  readonly turn: string | null;
}

/**
 * One unit of work, which runs until every signature that it needs has been made for exactly the bytes that it seals.
 *
 * Each run sees the same time and the same ids, so it builds the same bytes as long as it reads the same rows. Where the
 * head of a chain moved, the bytes are others, and what was signed before is of no use.
 */
export class Rehearsal {
  /** Signatures are made at once, under the locks of the transaction. */
  isLocked = false;
  isOver = false;
  private missing = new Map<string, Wanted>();
  private readonly signatures = new Map<string, Uint8Array>();
  private readonly ids: Uuid[] = [];
  private usedIds = 0;
  private firstDatabaseTime: Date | null = null;

  constructor(readonly now: Date) {}

  /** At the start of each run. */
  begin(): void {
    this.missing = new Map();
    this.usedIds = 0;
  }

  get wanted(): readonly Wanted[] {
    return [...this.missing.values()];
  }

  nextId(make: () => Uuid): Uuid {
    const id = (this.ids[this.usedIds] ??= make());
    this.usedIds++;
    return id;
  }

  databaseTime(now: Date): Date {
    return (this.firstDatabaseTime ??= now);
  }

  /** @throws MissingSignature, after which the run cannot be committed. */
  signature(signer: Signer, bytes: Uint8Array): Uint8Array {
    const key = `${signer.keyId}:${createHash('sha256').update(bytes).digest('base64')}`;
    const made = this.signatures.get(key);
    if (made) return made;
    this.missing.set(key, { key, signer, bytes, turn: turnOf(bytes) });
    throw new MissingSignature('a signature has to be made before this unit of work can commit');
  }

  keep({ key }: Wanted, signature: Uint8Array): void {
    this.signatures.set(key, signature);
  }
}

/** Ends a run of a unit of work; never leaves `SignOutside`. */
export class MissingSignature extends Error {
  override readonly name = 'MissingSignature';
}
