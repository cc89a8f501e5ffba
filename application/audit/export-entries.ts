import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import { isUuid } from '../../domain/kernel/ids.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { DisputeReads } from '../../domain/dispute/dispute-store.port.ts';
import type { CompletionReads } from '../../domain/record/record-store.port.ts';
import type { VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import type { ChainEntry, ChainHead } from '../../domain/vault/chain.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { Statement } from '../../domain/vault/statement.ts';
import type { AuditExportEntry } from '../../domain/verification/read/audit-export.ts';
import { parseStatement } from '../../domain/vault/parsed-statement.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { ShownContents } from './shown-contents.ts';
import type { RequestReader, ShownRequests } from './shown-requests.ts';

/** An entry may have 64 KiB. */
const ENTRIES_PER_READ = 32;

/** `evidence`: whether evidence and content stand beside the entries that seal their hashes, and in requests. */
export interface ShownEntries extends RequestReader {
  readonly record: RecordState;
  readonly algorithms: ReadonlyMap<string, VaultAlgorithm>;
}

/** The entries of a chain as an export shows them, read while they are sent: no chain is too long. */
export class ExportEntries {
  constructor(
    private readonly chains: ChainReads,
    private readonly completions: CompletionReads,
    private readonly disputes: DisputeReads,
    private readonly requests: ShownRequests,
  ) {}

  /** Entries are never changed, so all of them up to a head are the chain as it was when the head was read. */
  async *upTo(head: ChainHead, shown: ShownEntries): AsyncGenerator<AuditExportEntry> {
    const contents = shown.evidence ? new ShownContents(this.disputes, shown.record) : null;
    for (let next = 1; next <= head.position;) {
      const page = await this.chains.entries(head.chainKey, next, ENTRIES_PER_READ);
      for (const entry of page)
        if (entry.position <= head.position) yield await this.shown(entry, shown, contents);
      // A gap shows in the file, and the verifier names it.
      next = (page.at(-1)?.position ?? head.position) + 1;
    }
  }

  private async shown(
    entry: ChainEntry,
    shown: ShownEntries,
    contents: ShownContents | null,
  ): Promise<AuditExportEntry> {
    const statement = parseStatement(entry.coseSign1).payload as unknown as Statement;
    const found = shown.evidence ? await this.evidenceAt(entry, statement) : undefined;
    const content = await contents?.at(entry, statement.predicate);
    const request = await this.requests.of(entry, statement.predicate, shown);
    return {
      position: entry.position,
      entryType: entry.entryType,
      hash: toHex(entry.hash),
      previousHash: toHex(entry.previousHash),
      signingKeyId: entry.signingKeyId,
      algorithm: shown.algorithms.get(entry.signingKeyId) ?? 'Ed25519',
      createdAt: entry.at,
      coseSign1: encodeBase64(entry.coseSign1),
      statement,
      ...(found === undefined ? {} : { evidence: found }),
      ...(content === undefined ? {} : { content }),
      ...(request ? { request: encodeBase64(request) } : {}),
    };
  }

  /** One piece at a time: evidence may be large. */
  private async evidenceAt(
    { entryType, position, recordId }: ChainEntry,
    { predicate }: Statement,
  ): Promise<JsonValue | undefined> {
    if (entryType !== 'COMPLETION_SUBMITTED') return undefined;
    const { completionId } = predicate as { readonly completionId?: unknown };
    if (typeof completionId !== 'string' || !isUuid(completionId)) return undefined;
    const completion = await this.completions.find(completionId);
    return completion?.recordId === recordId && completion.entryPosition === position
      ? completion.evidence
      : undefined;
  }
}
