import { verifyingKeyOf } from '../../domain/identity/agent-public-key.ts';
import type { WitnessReads } from '../../domain/identity/witness-store.port.ts';
import { decodeBase64Strict } from '../../domain/kernel/base64.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { cosignatureBytes } from '../../domain/transparency/cosignature.ts';
import {
  openOrgReadsCheckpoint,
  type CosignedCheckpoint,
} from '../../domain/transparency/org-reads-checkpoint.ts';
import type { OrgReadsReads } from '../../domain/transparency/org-reads-store.port.ts';
import { VerifyingKeys, verifySignature } from '../../domain/vault/signatures.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { DuplicateError } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import { visibleCheckpoint } from './visible-checkpoint.ts';
import { readsBroken } from './reads-broken.ts';

interface Input {
  readonly checkpointId: Uuid;
  readonly witnessKeyId: Uuid;
  readonly signature: string;
}

/** Takes the signature of a witness on a checkpoint. It is verified before it takes the one place there is. */
export class CosignCheckpoint {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly reads: OrgReadsReads,
    private readonly witnesses: WitnessReads,
    private readonly vault: Pick<Vault, 'keyOf'>,
    private readonly clock: Clock,
  ) {}

  async execute(context: CallContext, input: Input): Promise<CosignedCheckpoint> {
    const checkpoint = await visibleCheckpoint(this.reads, context.caller, input.checkpointId);
    if (!(await openOrgReadsCheckpoint(checkpoint, this.vault.keyOf)))
      throw readsBroken(checkpoint.orgId, 'the checkpoint does not verify');
    const witness = await this.witnesses.find(input.witnessKeyId);
    if (!witness) throw notFound('witness');
    const signature = decodeBase64Strict(input.signature);
    const bytes = cosignatureBytes(checkpoint.coseSign1);
    const result = signature
      ? await verifySignature(
          new VerifyingKeys().of(verifyingKeyOf(witness.key)),
          signature,
          bytes,
          'any',
        )
      : 'invalid';
    if (!signature || result !== 'valid') throw notTheirs(bytes);
    const cosignature = {
      checkpointId: checkpoint.id,
      witnessKeyId: witness.witnessKeyId,
      signature,
      createdAt: this.clock.now().toISOString(),
    };
    const cosigned = { ...checkpoint, cosignature };
    try {
      return await this.idempotent.run(context, async (stores) => {
        await stores.orgReads.insertCosignature(cosignature);
        return cosigned;
      });
    } catch (error) {
      throw error instanceof DuplicateError ? taken(error) : error;
    }
  }
}

const notTheirs = (bytes: Uint8Array): NotaryError =>
  new NotaryError('UNPROCESSABLE', 'This is no signature of the witness on this checkpoint.', {
    errors: [{ path: '/signature', keyword: 'signature', message: 'does not verify' }],
    suggestion: `Sign the UTF-8 bytes of ${JSON.stringify(new TextDecoder().decode(bytes))} with the private key of the witness: 64 raw bytes, in base64.`,
  });

const taken = (cause: unknown): NotaryError =>
  new NotaryError(
    'CONFLICT',
    'The checkpoint has the signature of a witness, and there is place for one.',
    { suggestion: 'Read the checkpoint to see whose it is, or sign the next one.' },
    { cause },
  );
