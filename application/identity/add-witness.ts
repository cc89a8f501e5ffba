import { publicKeyOfJwk } from '../../domain/identity/agent-key-input.ts';
import { verifyingKeyOf } from '../../domain/identity/agent-public-key.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { Witness } from '../../domain/identity/witness.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { encodeCbor } from '../../domain/kernel/deterministic-cbor.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import { coseKeyOf } from '../../domain/vault/cose-key.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';

/** Names somebody outside whose signature a checkpoint of a log of reads may carry. */
export class AddWitness {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  execute(
    context: CallContext,
    input: { readonly name: string; readonly publicKeyJwk: { readonly [member: string]: unknown } },
  ): Promise<Witness> {
    const witness: Witness = {
      witnessKeyId: this.ids.next(),
      name: input.name,
      key: publicKeyOfJwk(input.publicKeyJwk, 'signing'),
      createdAt: this.clock.now().toISOString(),
      version: 1,
    };
    return this.idempotent.run(context, async (stores) => {
      await stores.witnesses.insert(witness);
      await this.sealPlatform.seal(
        stores,
        { actor: actorOf(context.caller), requestId: context.requestId },
        {
          entryType: 'WITNESS_ADDED',
          orgId: null,
          rows: { [witness.witnessKeyId]: witness.version },
          members: witnessMembers(witness),
          event: 'witness.added',
          eventData: { witnessKeyId: witness.witnessKeyId },
        },
      );
      return witness;
    });
  }
}

/** What the platform chain says of a witness: the key that its signatures verify under. */
export const witnessMembers = ({ witnessKeyId, name, key }: Witness): JsonObject => ({
  witnessKeyId,
  name,
  coseKey: encodeBase64(encodeCbor(coseKeyOf(verifyingKeyOf(key)))),
});
