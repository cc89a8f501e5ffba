import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Kind } from '../ports/kinds.ts';
import type { Item } from './load-documents.ts';
import type { ProvisionedRow } from '../ports/provisioned-rows.port.ts';
import type { Scene } from './scene.ts';

/** A secret that was made for a new row, and where it was written. */
export interface Generated {
  readonly id: Uuid;
  readonly label: string | null;
  readonly file: string;
}

/** What differs between a document and what there is. */
export interface Change {
  readonly outcome: 'created' | 'updated';
  apply(): Promise<Generated | null>;
}

/** How documents of one kind become rows. Refusals are thrown as operations throw them. */
export interface KindApplier<K extends Kind = Kind> {
  /** Null where nothing differs. Writes nothing. */
  change(item: Item<K>, scene: Scene): Promise<Change | null>;
  /** Puts a row out of use that no file names; null where it is already, or never is. */
  prune(row: ProvisionedRow, scene: Scene): Promise<Change | null>;
  /** How members of operations are called in documents, where they are called otherwise. */
  readonly members: { readonly [path: string]: string };
}

export const PRUNED = 'No provisioning file names it any more.';
