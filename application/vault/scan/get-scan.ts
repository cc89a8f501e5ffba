import { notFound } from '../../../domain/kernel/errors.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { CallContext } from '../../call/call-context.ts';
import type { VaultScan } from '../../ports/vault-scan.ts';
import type { VaultScanReads } from '../../ports/vault-scan-store.port.ts';

export class GetScan {
  constructor(private readonly reads: VaultScanReads) {}

  async execute(_context: CallContext, { jobId }: { readonly jobId: Uuid }): Promise<VaultScan> {
    const scan = await this.reads.find(jobId);
    if (!scan) throw notFound('scan');
    return scan;
  }
}
