import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import { openEntry } from '../../domain/vault/open-entry.ts';
import type { AuditExportAcknowledgement } from '../../domain/verification/read/audit-export.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { Vault } from '../sealing/vault.ts';

/** The entries of the platform chain that say of a chain what it lost, for whoever has no dump. */
export class AcknowledgedLosses {
  constructor(
    private readonly ledger: PlatformLedger,
    private readonly chains: Pick<ChainReads, 'entries'>,
    private readonly vault: Pick<Vault, 'keyOf'>,
  ) {}

  async of(chainKey: ChainKey): Promise<readonly AuditExportAcknowledgement[]> {
    const positions = (await this.ledger.losses({ now: true })).acknowledgementsOf(chainKey);
    const shown: AuditExportAcknowledgement[] = [];
    for (const position of positions) {
      const [entry] = await this.chains.entries(PLATFORM_CHAIN, position, 1);
      if (entry?.position !== position || !(await openEntry(entry.coseSign1, this.vault.keyOf)))
        throw payloadDrift(PLATFORM_CHAIN, `entry ${position}`);
      shown.push({ position, coseSign1: encodeBase64(entry.coseSign1) });
    }
    return shown;
  }
}
