import { actorOf } from '../../domain/identity/caller.ts';
import type { Witness } from '../../domain/identity/witness.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { witnessMembers } from './add-witness.ts';

/** From here on the witness signs nothing more. What it signed stays, and verifies. */
export class RemoveWitness {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
  ) {}

  execute(
    context: CallContext,
    { witnessKeyId }: { readonly witnessKeyId: Uuid },
  ): Promise<Witness> {
    return this.idempotent.run(context, async (stores) => {
      const witness = await stores.witnesses.lock(witnessKeyId);
      if (!witness) throw notFound('witness');
      await stores.witnesses.delete(witnessKeyId);
      await this.sealPlatform.seal(
        stores,
        { actor: actorOf(context.caller), requestId: context.requestId },
        {
          entryType: 'WITNESS_REMOVED',
          orgId: null,
          // No row has this version, so the row cannot come back.
          rows: { [witnessKeyId]: witness.version + 1 },
          members: witnessMembers(witness),
          event: 'witness.removed',
          eventData: { witnessKeyId },
        },
      );
      return witness;
    });
  }
}
