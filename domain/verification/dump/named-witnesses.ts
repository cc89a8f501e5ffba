import type { PublicKey } from '../../vault/cose-key.ts';
import { parseStatement, UnreadableError } from '../../vault/parsed-statement.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import { witnessIn } from '../keys/witness-keys.ts';

/** The keys of the witnesses that entries of the platform chain name. */
export class NamedWitnesses extends Map<string, PublicKey> {
  /** Of the platform chain. What is wrong with it is found elsewhere. */
  entry({ entryType, coseSign1 }: ChainRow): void {
    if (entryType !== 'WITNESS_ADDED') return;
    try {
      const { statement } = parseStatement(coseSign1);
      const named = statement && witnessIn(statement.predicate);
      if (named) this.set(named.witnessKeyId, named.key);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
    }
  }
}
