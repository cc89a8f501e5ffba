import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { CallContext } from '../call/call-context.ts';
import { orgsOf } from '../record/concerns.ts';
import type { FindRecord } from '../record/find-record.ts';
import type { CloseChain } from './close-chain.ts';

/** An entry may have 64 KiB. */
const ENTRIES_PER_READ = 32;

/** A chain as its signed bytes alone. */
export interface Attestation {
  readonly recordId: Uuid;
  /** Base64: the entries in order, then the checkpoint of the head. */
  readonly structures: AsyncIterable<string>;
}

export interface ConcernedAttestation {
  readonly attestation: Attestation;
  /** Whose data it shows. */
  readonly orgs: readonly (Uuid | null)[];
}

/** The signed structures of a record's chain and nothing beside them. */
export class ExportAttestation {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly closeChain: CloseChain,
    private readonly chains: ChainReads,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly recordId: Uuid },
  ): Promise<ConcernedAttestation> {
    const { id } = await this.findRecord.find(context, input.recordId);
    const { record, head, checkpoint } = await this.closeChain.of(id);
    const attestation = { recordId: id, structures: this.structures(head, checkpoint) };
    return { attestation, orgs: orgsOf({ record }) };
  }

  private async *structures(head: ChainHead, checkpoint: Checkpoint): AsyncGenerator<string> {
    for (let next = 1; next <= head.position;) {
      const page = await this.chains.entries(head.chainKey, next, ENTRIES_PER_READ);
      for (const { position, coseSign1 } of page)
        if (position <= head.position) yield encodeBase64(coseSign1);
      // A gap shows in the file, and the verifier names it.
      next = (page.at(-1)?.position ?? head.position) + 1;
    }
    yield encodeBase64(checkpoint.coseSign1);
  }
}
