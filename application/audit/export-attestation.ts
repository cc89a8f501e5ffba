import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { CallContext } from '../call/call-context.ts';
import { orgsOf } from '../record/concerns.ts';
import type { FindRecord } from '../record/find-record.ts';
import type { EntryReceipts } from '../transparency/entry-receipts.ts';
import type { CloseChain } from './close-chain.ts';

/** An entry may have 64 KiB. */
const ENTRIES_PER_READ = 32;

/** A chain as its signed bytes alone. */
export interface Attestation {
  readonly recordId: Uuid;
  /** Base64: the entries in order, with receipts where they are asked for; then the checkpoint of the head. */
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
    private readonly receipts: Pick<EntryReceipts, 'beside'>,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly recordId: Uuid; readonly receipts?: boolean },
  ): Promise<ConcernedAttestation> {
    const { id } = await this.findRecord.find(context, input.recordId);
    const { record, head, checkpoint } = await this.closeChain.of(id, context);
    const structures = this.structures(head, checkpoint, input.receipts ? record.orgId : null);
    const attestation = { recordId: id, structures: await begun(structures) };
    return { attestation, orgs: orgsOf({ record }) };
  }

  /** @param orgId whose log gives the receipts; null for none. */
  private async *structures(
    head: ChainHead,
    checkpoint: Checkpoint,
    orgId: Uuid | null,
  ): AsyncGenerator<string> {
    for (let next = 1; next <= head.position;) {
      const page = await this.chains.entries(head.chainKey, next, ENTRIES_PER_READ);
      const entries = page.filter(({ position }) => position <= head.position);
      const structures = orgId
        ? await this.receipts.beside(orgId, entries)
        : entries.map(({ coseSign1 }) => coseSign1);
      for (const structure of structures) yield encodeBase64(structure);
      // A gap shows in the file, and the verifier names it.
      next = (page.at(-1)?.position ?? head.position) + 1;
    }
    yield encodeBase64(checkpoint.coseSign1);
  }
}

/** Makes the first item now, so that what is refused is refused before an answer begins. */
const begun = async (items: AsyncGenerator<string>): Promise<AsyncIterable<string>> => {
  const first = await items.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* items;
  })();
};
