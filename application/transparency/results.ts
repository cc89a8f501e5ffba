import type { LogLeaf } from '../../domain/transparency/statement-log.port.ts';

/** A signed structure in the log of its org, with the receipt that it stands there. */
export interface LoggedStatement {
  readonly leaf: LogLeaf;
  /** The input of the leaf. */
  readonly statement: Uint8Array;
  readonly receipt: Uint8Array;
}
