import { canonicalDocumentBytes } from '../../domain/kernel/canonical-document.ts';
import { bytesEqual, sha256 } from '../../domain/kernel/digest.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { parseStatement } from '../../domain/vault/parsed-statement.ts';
import { signBundle, type SigstoreBundle } from '../../domain/vault/sigstore-bundle.ts';
import type { CallContext } from '../call/call-context.ts';
import { orgsOf } from '../record/concerns.ts';
import type { FindRecord } from '../record/find-record.ts';
import { withContents, type LargeContents } from '../record/large-contents.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { RecordChains } from '../sealing/record-chains.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import { activeSeal } from '../sealing/active-seal.ts';
import type { Vault } from '../sealing/vault.ts';

/** A bundle, and the orgs whose data it shows. */
export interface ConcernedBundle {
  readonly bundle: SigstoreBundle;
  readonly orgs: readonly (Uuid | null)[];
}

/** The newest statement of a record, signed once more in the form that supply-chain tools read. */
export class ExportBundle {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly unitOfWork: UnitOfWork,
    private readonly recordChains: RecordChains,
    private readonly largeContents: LargeContents,
    private readonly vault: Vault,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly recordId: Uuid },
  ): Promise<ConcernedBundle> {
    const { id } = await this.findRecord.find(context, input.recordId);
    return this.largeContents.whileNeeded((contents) =>
      this.unitOfWork.transaction(async (stores) => {
        const found = await stores.records.lock(id);
        if (!found) throw payloadDrift(id, 'missing row');
        const { head } = await this.recordChains.lock(stores, withContents(found.record, contents));
        const newest = head && (await stores.chains.headEntry(head.chainKey));
        // The head is verified by now; what is signed again has to be what it is the hash of.
        if (!head || !newest || !bytesEqual(sha256(newest.coseSign1), head.hash))
          throw payloadDrift(id, 'changed entry');
        const { signer } = await activeSeal(stores, this.vault);
        const statement = canonicalDocumentBytes(parseStatement(newest.coseSign1).payload);
        return { bundle: await signBundle(signer, statement), orgs: orgsOf(found) };
      }, context),
    );
  }
}
