import { schemaChain } from '../../domain/vault/chain-key.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { CallContext } from '../call/call-context.ts';
import type { SignedStatement } from '../sealing/signed-statement.ts';
import type { Vault } from '../sealing/vault.ts';
import type { FindType, NamedType } from './find-type.ts';
import { registrationStatement } from './registration-statement.ts';
import { managerOf, type ManagedRows, type ShownType } from './shown-type.ts';

export interface ReadType extends ShownType {
  /** Null where another org registered it: its entry says which of its agents did. */
  readonly signedStatement: SignedStatement | null;
}

/** Reads one version of a record type, with the entry that registered it. */
export class GetType {
  constructor(
    private readonly findType: FindType,
    private readonly chains: ChainReads,
    private readonly vault: Vault,
    private readonly managed: ManagedRows,
  ) {}

  /** @throws NOT_FOUND, AMBIGUOUS_PUBLISHER with publishers[], CONFLICT with reason payload_drift */
  async execute(context: CallContext, input: NamedType): Promise<ReadType> {
    const recordType = await this.findType.find(context, input);
    const { orgId, entryPosition } = recordType;
    const managedBy = await managerOf(this.managed, recordType);
    const { role, orgId: own } = context.caller;
    if (role !== 'platform' && own !== orgId)
      return { recordType, managedBy, signedStatement: null };
    const [entry] = await this.chains.entries(schemaChain(orgId), entryPosition, 1);
    const signedStatement = registrationStatement(recordType, entry, this.vault);
    return { recordType, managedBy, signedStatement };
  }
}
